import { useEffect, useId, useRef, type ReactNode, useState } from 'react';
import styles from './account.module.css';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ACCOUNT_TEXTS as TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';

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
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (location.hash === `#${anchor}`) section.current?.scrollIntoView();
  }, [anchor]);
  return (
    <section ref={section} id={anchor} className={styles['section']} aria-labelledby={id}>
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

interface PartProps {
  readonly title: string;
  readonly hint: string;
  readonly verbs?: ReactNode;
  readonly children: ReactNode;
}

/** One of several parts of a section. */
export function Part({ title, hint, verbs, children }: PartProps) {
  return (
    <div className={styles['part']}>
      <div className={styles['head']}>
        <div>
          <h3 className={styles['partTitle']}>{title}</h3>
          <p className={styles['hint']}>{hint}</p>
        </div>
        {verbs}
      </div>
      {children}
    </div>
  );
}

interface Listing {
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly failed: string;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

export function Listed({ error, isPending, failed, onRetry, children }: Listing) {
  if (error !== null) {
    return (
      <div className={styles['problem']}>
        <MessageBox tone="danger" lines={[failed, error.message]} />
        <Button size="sm" onPress={onRetry}>
          {TEXTS.tryAgain}
        </Button>
      </div>
    );
  }
  if (isPending) {
    return (
      <p className={styles['waiting']} role="status">
        <Spinner /> {TEXTS.loading}
      </p>
    );
  }
  return <ul className={styles['list']}>{children}</ul>;
}

interface RowProps {
  readonly title: string;
  /** Null: not the current session. */
  readonly current: string | null;
  readonly facts: readonly string[];
  readonly verb: { readonly text: string; readonly name: string; readonly busy: string; readonly done: string };
  readonly onEnd: () => Promise<unknown>;
}

/**
 * Call it before a row is removed, and its result afterwards: the focus of the row's button goes to a neighbour's
 * button, or to the first other one of the section.
 */
export function focusAfter(row: Element | null): () => void {
  const place = row?.nextElementSibling ?? row?.previousElementSibling ?? row?.closest('section');
  return () => {
    const { activeElement, body } = document;
    // The page may still show the row.
    if (activeElement !== body && row?.contains(activeElement) !== true) return;
    const buttons = [...(place?.querySelectorAll('button') ?? [])];
    buttons.find((button) => row?.contains(button) !== true)?.focus();
  };
}

export function EndingRow({ title, current, facts, verb, onEnd }: RowProps) {
  const [isBusy, setBusy] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const end = async () => {
    const keepFocus = focusAfter(row.current);
    setBusy(true);
    try {
      await onEnd();
      tellDone(verb.done);
      keepFocus();
    } catch (failure) {
      tellFailure(reasonOf(failure));
    }
    setBusy(false);
  };
  return (
    <li ref={row} className={styles['row']}>
      <div className={styles['what']}>
        <p className={styles['name']}>
          {title} {current !== null && <span className={styles['badge']}>{current}</span>}
        </p>
        <p className={styles['facts']}>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
      {current === null && (
        <Button size="sm" label={verb.name} busy={isBusy} busyLabel={verb.busy} onPress={() => void end()}>
          {verb.text}
        </Button>
      )}
    </li>
  );
}
