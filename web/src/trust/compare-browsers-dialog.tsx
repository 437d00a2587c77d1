/** The words differ if the server shows the account's browsers different trust records. */
import { useEffect, useState } from 'react';
import { tellDone } from '../activity-log/activity-log.ts';
import { KeyCard } from '../members/keys/key-words.tsx';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { TRUST_RECORD_TEXTS as TEXTS } from '../texts/groups/trust-record.ts';
import { TRUST_TEXTS } from '../texts/groups/trust.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import type { RecordWords } from '@passwordbroker/client/vault/trust/trust';
import { useVault } from '../vault/use-vault.ts';

export function CompareBrowsersDialog({ onClose }: { readonly onClose: () => void }) {
  const { write } = useVault();
  const masterPassword = useMasterPassword();
  const [shown, setShown] = useState<RecordWords | null>(null);
  const [busy, setBusy] = useState<'same' | 'differ' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const wanted = new AbortController();
    masterPassword
      .use(async () => write?.trust?.recordWords() ?? null, { label: TEXTS.compareAction, signal: wanted.signal })
      .then(setShown)
      .catch((failure: unknown) => {
        if (wanted.signal.aborted) return;
        if (failure instanceof MasterPasswordCancelled) onClose();
        else setProblem(reasonOf(failure));
      });
    return () => wanted.abort();
  }, [write, masterPassword, onClose]);

  const decide = async (isSame: boolean) => {
    setProblem(null);
    setBusy(isSame ? 'same' : 'differ');
    try {
      await write?.trust?.compareBrowsers(isSame);
      if (isSame) tellDone(TEXTS.compared);
      onClose();
    } catch (failure) {
      setProblem(TRUST_TEXTS.keepFailed(reasonOf(failure)));
      setBusy(null);
    }
  };
  const isOff = shown === null || busy !== null;
  return (
    <Dialog
      title={TEXTS.compareTitle}
      size="md"
      onClose={onClose}
      isBusy={busy !== null}
      footer={
        <>
          <Button variant="ghost" ref={firstFocus} isDisabled={busy !== null} onPress={onClose}>
            {TRUST_TEXTS.cancel}
          </Button>
          <Button
            busy={busy === 'differ'}
            busyLabel={TRUST_TEXTS.keeping}
            isDisabled={isOff}
            onPress={() => void decide(false)}
          >
            {TEXTS.differ}
          </Button>
          <Button
            variant="primary"
            busy={busy === 'same'}
            busyLabel={TRUST_TEXTS.keeping}
            isDisabled={isOff}
            onPress={() => void decide(true)}
          >
            {TEXTS.same}
          </Button>
        </>
      }
    >
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      <p>{TEXTS.compareText}</p>
      {shown === null && problem === null && (
        <p role="status">
          <Spinner /> {TEXTS.reading}
        </p>
      )}
      {shown !== null && (
        <KeyCard
          title={TEXTS.compareWords}
          facts={[TEXTS.compareNumber(shown.n)]}
          current={{ fingerprint: shown.hash, words: shown.words }}
        />
      )}
    </Dialog>
  );
}
