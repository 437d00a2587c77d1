import type { ReactNode } from 'react';
import styles from './field-value.module.css';

interface Props {
  readonly name?: string;
  readonly children: ReactNode;
  readonly verbs: ReactNode;
  /** Slots for three buttons instead of two. */
  readonly isWide?: boolean;
}

export function ValueLine({ name, children, verbs, isWide = false }: Props) {
  return (
    <div className={styles['line']} data-named={name !== undefined || undefined} data-wide={isWide || undefined}>
      {name !== undefined && <span className={styles['name']}>{name}</span>}
      {children}
      <span className={styles['verbs']}>{verbs}</span>
    </div>
  );
}
