/** Verifies the hash chain of the audit log on the server, on request. */
import { useId } from 'react';
import { formatTime } from '../lib/format.ts';
import { reasonOf } from '../lib/reason.ts';
import { ADMIN_LOGS_TEXTS as TEXTS } from '../texts/admin-logs.ts';
import { Button } from '../ui/button.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import admin from './admin.module.css';
import styles from './logs.module.css';
import { useChainCheck } from './use-logs.ts';

export function ChainState() {
  const id = useId();
  const { data, error, isPending, mutate } = useChainCheck();
  return (
    <section className={admin['card']} aria-labelledby={id}>
      <h2 id={id}>{TEXTS.chain}</h2>
      <p className={admin['hint']}>{TEXTS.chainHint}</p>
      {error !== null && <MessageBox tone="danger" lines={[TEXTS.checkFailed, reasonOf(error)]} />}
      {data !== undefined && <Verdict {...data} />}
      <div>
        <Button busy={isPending} busyLabel={TEXTS.checking} onPress={() => mutate()}>
          {TEXTS.check}
        </Button>
      </div>
    </section>
  );
}

type Checked = NonNullable<ReturnType<typeof useChainCheck>['data']>;

function Verdict({ ok, rows, head, first_bad, unsealed, checkpoint }: Checked) {
  const pruned =
    checkpoint === null ? [] : [TEXTS.checkpoint(formatTime(checkpoint.before), formatTime(checkpoint.at))];
  const waiting = [...pruned, ...(unsealed > 0 ? [TEXTS.unsealed(unsealed)] : [])];
  if (!ok) {
    const bad = first_bad === null ? [] : [TEXTS.firstBad(first_bad)];
    return <MessageBox tone="danger" title={TEXTS.chainBad} lines={[...bad, ...waiting]} />;
  }
  return (
    <MessageBox tone="success" title={head === null ? TEXTS.chainEmpty : TEXTS.chainOk(rows)} lines={waiting}>
      {head !== null && <p className={`${admin['code']} ${styles['hash']}`}>{TEXTS.head(head.hash)}</p>}
    </MessageBox>
  );
}
