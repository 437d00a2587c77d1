/** In the row of a passkey on the account page, whatever its use. */
import { type FormEvent, useId, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { rename } from '@passwordbroker/core/contract/account/passkeys';
import type { Passkey } from '@passwordbroker/core/contract/account/webauthn';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, FormVerbs, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { tellDone } from '../activity-log/activity-log.ts';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { PASSKEY_TEXTS as TEXTS } from '../texts/identity/passkeys.ts';

type Named = Pick<Passkey, 'passkey_id' | 'name'>;

export function RenamePasskey({ passkey }: { readonly passkey: Named }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" label={TEXTS.renameNamed(passkey.name)} onPress={() => setOpen(true)}>
        {TEXTS.rename}
      </Button>
      {isOpen && <RenameDialog passkey={passkey} onClose={() => setOpen(false)} />}
    </>
  );
}

function RenameDialog({ passkey, onClose }: { readonly passkey: Named; readonly onClose: () => void }) {
  const form = useId();
  const queries = useQueryClient();
  const [input, focusAgain] = useFirstFocus();
  const [name, setName] = useState(passkey.name);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    const params = { passkeyId: passkey.passkey_id };
    const answer = await freshSignIn.tryRun(() => http.call(rename, { params, body: { name } }));
    if (answer === null) return;
    await queries.invalidateQueries({ queryKey: ['account'] });
    tellDone(TEXTS.renamed(answer.passkey.name));
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await save();
    } catch (failure) {
      const [first] = failure instanceof AppError ? Object.values(failure.errors ?? {}).flat() : [];
      setProblem(first ?? reasonOf(failure));
      focusAgain();
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={TEXTS.renameNamed(passkey.name)}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={TEXTS.rename}
          submitting={TEXTS.saving}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          ref={input}
          label={TEXTS.name}
          value={name}
          onChange={setName}
          maxLength={LIMITS.passkeyName}
          error={problem}
        />
      </form>
    </Dialog>
  );
}
