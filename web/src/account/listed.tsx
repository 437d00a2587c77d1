/** A list of the account page with loading and error states; its rows have a button that ends them. */
import { useState, type ReactNode } from 'react';
import { tellDone, tellFailure } from '../activity-log/tell.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ACCOUNT_TEXTS as TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import styles from './account.module.css';

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
  /** Label of the current session; null for others. */
  readonly current: string | null;
  readonly facts: readonly string[];
  readonly verb: { readonly text: string; readonly name: string; readonly busy: string; readonly done: string };
  readonly onEnd: () => Promise<unknown>;
}

export function EndingRow({ title, current, facts, verb, onEnd }: RowProps) {
  const [isBusy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    try {
      await onEnd();
      tellDone(verb.done);
    } catch (failure) {
      tellFailure(reasonOf(failure));
    }
    setBusy(false);
  };
  return (
    <li className={styles['row']}>
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
