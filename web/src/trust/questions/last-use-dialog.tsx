/** Asks once in a new browser, before the first write, whether the shown last use of the account is right. */
import { useState } from 'react';
import { formatTime } from '../../lib/format.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { TRUST_RECORD_TEXTS as TEXTS } from '../../texts/groups/trust-record.ts';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { firstFocus } from '@passwordbroker/ui/inputs/first-focus';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { useVault } from '../../vault/use-vault.ts';
import { useAccountTrust } from '../use-trust-state.ts';

interface Props {
  readonly onDecided: () => void;
  readonly onClose: () => void;
}

export function LastUseDialog({ onDecided, onClose }: Props) {
  const { write } = useVault();
  const account = useAccountTrust();
  const [busy, setBusy] = useState<'yes' | 'no' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const lastUse = account?.lastUse ?? null;

  const answer = async (isRight: boolean) => {
    setProblem(null);
    setBusy(isRight ? 'yes' : 'no');
    try {
      await write?.trust?.answerLastUse(isRight);
      // After "no" the waiting operations are cancelled: nothing is written while the record is in doubt.
      if (isRight) onDecided();
      else onClose();
    } catch (failure) {
      setProblem(TRUST_TEXTS.keepFailed(reasonOf(failure)));
      setBusy(null);
    }
  };
  return (
    <Dialog
      title={TEXTS.lastUseTitle}
      role="alertdialog"
      size="md"
      onClose={onClose}
      isBusy={busy !== null}
      footer={
        <>
          <Button variant="ghost" ref={firstFocus} isDisabled={busy !== null} onPress={onClose}>
            {TRUST_TEXTS.cancel}
          </Button>
          <Button
            busy={busy === 'no'}
            busyLabel={TEXTS.answering}
            isDisabled={busy !== null}
            onPress={() => void answer(false)}
          >
            {TEXTS.no}
          </Button>
          <Button
            variant="primary"
            busy={busy === 'yes'}
            busyLabel={TEXTS.answering}
            isDisabled={busy !== null}
            onPress={() => void answer(true)}
          >
            {TEXTS.yes}
          </Button>
        </>
      }
    >
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {lastUse !== null && (
        <p>
          <b>{lastUseText(lastUse)}</b>
        </p>
      )}
      <p>{TEXTS.lastUseWhy}</p>
    </Dialog>
  );
}

function lastUseText({
  at,
  browser,
  group,
}: {
  readonly at: number;
  readonly browser: string;
  readonly group: readonly string[] | null;
}): string {
  const time = formatTime(at * 1000);
  return group === null ? TEXTS.lastUse(time, browser) : TEXTS.lastUseIn(time, browser, group.join(' / '));
}
