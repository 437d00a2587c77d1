/**
 * Starts an empty trust record in place of a missing or doubted one. Requires typing the e-mail address, to
 * prevent mistakes.
 */
import { type FormEvent, useId, useState } from 'react';
import { tellDone } from '../../activity-log/tell.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { EntryCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { useSession } from '../../session/use-session.ts';
import { TRUST_RECORD_TEXTS as TEXTS } from '../../texts/groups/trust-record.ts';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { firstFocus } from '@passwordbroker/ui/inputs/first-focus';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { useVault } from '../../vault/use-vault.ts';

export function NewRecordDialog({ onClose }: { readonly onClose: () => void }) {
  const form = useId();
  const { write } = useVault();
  const { user } = useSession();
  const masterPassword = useMasterPassword();
  const [email, setEmail] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (email.trim().toLowerCase() !== user?.email.toLowerCase()) {
      setProblem(TEXTS.newMismatch);
      return;
    }
    setProblem(null);
    setBusy(true);
    try {
      await masterPassword.use(async () => write?.trust?.beginNewRecord(), { label: TEXTS.beginAction });
      tellDone(TEXTS.begun);
      onClose();
    } catch (failure) {
      if (!(failure instanceof EntryCancelled)) setProblem(TEXTS.failed(reasonOf(failure)));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={TEXTS.newTitle}
      role="alertdialog"
      size="md"
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <>
          <Button variant="ghost" ref={firstFocus} isDisabled={isBusy} onPress={onClose}>
            {TRUST_TEXTS.cancel}
          </Button>
          <Button type="submit" form={form} variant="danger" busy={isBusy} busyLabel={TEXTS.beginning}>
            {TEXTS.beginNew}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} noValidate>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <p>{TEXTS.newText}</p>
        <TextField
          label={TEXTS.newEmail}
          value={email}
          onChange={setEmail}
          type="email"
          autoComplete="off"
          maxLength={255}
        />
      </form>
    </Dialog>
  );
}
