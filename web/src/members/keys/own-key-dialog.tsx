import { useEffect, useState } from 'react';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import type { KeyWords } from '@passwordbroker/client/vault/groups/people';
import { useVault } from '../../vault/use-vault.ts';
import { KeyCard, KeyDetails } from './key-words.tsx';

/** Shows the words of the person's own key, so that they can read them to a colleague. */
export function OwnKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { read } = useVault();
  const masterPassword = useMasterPassword();
  const [key, setKey] = useState<KeyWords | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const wanted = new AbortController();
    masterPassword
      .use(() => read.ownKey(), { label: TEXTS.ownKeyAction, signal: wanted.signal })
      .then(setKey)
      .catch((failure: unknown) => {
        if (wanted.signal.aborted) return;
        if (failure instanceof MasterPasswordCancelled) onClose();
        else setProblem(reasonOf(failure));
      });
    return () => wanted.abort();
  }, [read, masterPassword, onClose]);
  return (
    <Dialog
      title={TEXTS.ownKey}
      size="md"
      onClose={onClose}
      footer={
        <Button variant="primary" onPress={onClose}>
          {TEXTS.close}
        </Button>
      }
    >
      <p>{TEXTS.ownKeyText}</p>
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {key === null && problem === null && <Spinner />}
      {key !== null && (
        <>
          <KeyCard title={TEXTS.ownKey} current={key} />
          <KeyDetails fingerprint={key.fingerprint} />
        </>
      )}
    </Dialog>
  );
}
