/** A screen with one form: a heading, fields, what went wrong, one verb. */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import styles from './popup.module.css';

interface FormScreenProps {
  readonly title: string;
  readonly text?: string;
  readonly verb: string;
  /** Rejects with an error whose message the person reads. */
  readonly onSubmit: () => Promise<void>;
  readonly children: ReactNode;
  /** Below the verb. */
  readonly more?: ReactNode;
}

export function FormScreen({ title, text, verb, onSubmit, children, more }: FormScreenProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // A screen without a field starts at its heading: the control that led here is gone.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    onSubmit()
      .catch((failure: unknown) => setProblem(reasonOf(failure)))
      .finally(() => setBusy(false));
  };
  return (
    <main className={styles['page']}>
      <h1 ref={heading} tabIndex={-1} className={styles['title']}>
        {title}
      </h1>
      {text !== undefined && <p className={styles['text']}>{text}</p>}
      <form className={styles['form']} onSubmit={submit}>
        {children}
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <Button type="submit" variant="primary" isBlock busy={isBusy}>
          {verb}
        </Button>
      </form>
      {more}
    </main>
  );
}
