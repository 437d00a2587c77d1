/** Makes a passkey that signs in to this site. */
import { type FormEvent, useId, useState } from 'react';
import { register, registrationOptions } from '@passwordbroker/core/contract/account/passkeys';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { ConfirmationCancelled } from '@passwordbroker/client/session/fresh-sign-in';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Dialog, FormVerbs, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../account/account.module.css';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { PASSKEY_TEXTS } from '../texts/identity/passkeys.ts';
import { createPlainPasskey } from './webauthn.ts';

const TEXTS = PASSKEY_TEXTS.signIn;

interface Props {
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

export function AddSignInDialog({ onClose, onAdded }: Props) {
  const form = useId();
  const [input, focusAgain] = useFirstFocus();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === '') return setProblem(PASSKEY_TEXTS.nameMissing);
    setProblem(null);
    setBusy(true);
    const uses = ['sign_in' as const];
    try {
      const asked = await freshSignIn.run(() => http.call(registrationOptions, { body: { uses } }));
      const attestation = await createPlainPasskey(asked.options);
      const body = { attestation, options_token: asked.options_token, name, uses, has_prf: false };
      await http.call(register, { body });
      onAdded();
    } catch (failure) {
      if (!(failure instanceof ConfirmationCancelled)) setProblem(reasonOf(failure));
      setBusy(false);
      focusAgain();
    }
  };
  return (
    <Dialog
      title={TEXTS.add}
      subtitle={TEXTS.dialogHint}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={PASSKEY_TEXTS.cancel}
          onCancel={onClose}
          submit={PASSKEY_TEXTS.submit}
          submitting={TEXTS.waiting}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <TextField
          ref={input}
          label={PASSKEY_TEXTS.name}
          value={name}
          onChange={setName}
          hint={PASSKEY_TEXTS.nameHint}
          maxLength={LIMITS.passkeyName}
        />
      </form>
    </Dialog>
  );
}
