import { useId, type ReactNode } from 'react';
import styles from './account.module.css';

interface Props {
  readonly title: string;
  readonly hint?: string;
  /** DOM id, for links to the section. */
  readonly id?: string;
  readonly verbs?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, hint, id: anchor, verbs, children }: Props) {
  const id = useId();
  return (
    <section id={anchor} className={styles['section']} aria-labelledby={id}>
      <header className={styles['head']}>
        <div>
          <h2 id={id} className={styles['title']}>
            {title}
          </h2>
          {hint !== undefined && <p className={styles['hint']}>{hint}</p>}
        </div>
        {verbs}
      </header>
      {children}
    </section>
  );
}
