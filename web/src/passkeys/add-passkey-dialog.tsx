/** Lets a new or present passkey open the vault. The PRF output is in no state: one function takes it from end to end. */
import { type FormEvent, useId, useState } from 'react';
import { register, registrationOptions } from '@passwordbroker/core/contract/account/passkeys';
import type { Passkey } from '@passwordbroker/core/contract/account/webauthn';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { addUnlockPasskey } from '@passwordbroker/client/master-password/unlock-passkeys';
import { type PasskeyAnswer, wipeAnswer } from '@passwordbroker/client/keyring/passkey-answer';
import { isWrongMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { ConfirmationCancelled } from '@passwordbroker/client/session/fresh-sign-in';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Dialog, FormVerbs, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../account/account.module.css';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { http } from '../page/page.ts';
import { freshSignIn, keyring } from '../page/vault.ts';
import { PASSKEY_TEXTS as TEXTS } from '../texts/identity/passkeys.ts';
import { askPasskey, createPasskey } from './webauthn.ts';

type Step = keyof typeof TEXTS.steps;

interface Props {
  /** Null: a new one is made. */
  readonly passkey: Passkey | null;
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

export function AddPasskeyDialog({ passkey: given, onClose, onAdded }: Props) {
  const form = useId();
  const [input, focusAgain] = useFirstFocus();
  const masterPassword = useMasterPassword();
  // Set once a new one is registered. After a wrong master password the next attempt uses it again.
  const [passkey, setPasskey] = useState(given);
  const [name, setName] = useState('');
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [step, setStep] = useState<Step | null>(null);

  async function make(): Promise<{ passkey: Passkey; answer: PasskeyAnswer }> {
    const uses = ['unlock' as const];
    const asked = await freshSignIn.run(() => http.call(registrationOptions, { body: { uses } }));
    setStep('making');
    const { attestation, answer } = await createPasskey(asked.options, () => setStep('trying'));
    try {
      const body = { attestation, options_token: asked.options_token, name, uses, has_prf: true };
      const { passkey: made } = await http.call(register, { body });
      setPasskey(made);
      return { passkey: made, answer };
    } catch (failure) {
      wipeAnswer(answer);
      throw failure;
    }
  }

  async function touch(present: Passkey): Promise<{ passkey: Passkey; answer: PasskeyAnswer }> {
    setStep('making');
    return { passkey: present, answer: await askPasskey([present]) };
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (step !== null) return;
    if (passkey === null && name.trim() === '') return setProblem(TEXTS.nameMissing);
    if (typed === '') return setProblem(MASTER_PASSWORD_TEXTS.missing);
    setProblem(null);
    setStep('asking');
    try {
      const used = passkey === null ? await make() : await touch(passkey);
      setStep('storing');
      const means = { http, keyring, masterPassword, whenFresh: freshSignIn.run };
      await addUnlockPasskey(means, used.passkey, { typed, answer: used.answer });
      onAdded();
    } catch (failure) {
      if (!(failure instanceof ConfirmationCancelled)) setProblem(textOf(failure));
      if (isWrongMasterPassword(failure)) setTyped('');
      setStep(null);
      focusAgain();
    }
  };
  return (
    <Dialog
      title={given === null ? TEXTS.dialog : TEXTS.dialogAgain(given.name)}
      subtitle={passkey === null ? TEXTS.dialogHint : TEXTS.dialogAgainHint}
      onClose={onClose}
      isBusy={step !== null}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={TEXTS.submit}
          submitting={TEXTS.steps[step ?? 'asking']}
          isBusy={step !== null}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        {passkey === null && (
          <TextField
            ref={input}
            label={TEXTS.name}
            value={name}
            onChange={setName}
            hint={TEXTS.nameHint}
            maxLength={LIMITS.passkeyName}
          />
        )}
        <PasswordField
          ref={passkey === null ? null : input}
          label={TEXTS.masterPassword}
          hint={TEXTS.masterPasswordHint}
          value={typed}
          onChange={setTyped}
          size="lg"
          autoComplete="off"
        />
      </form>
      <p role="status" className="visually-hidden">
        {step === null ? '' : TEXTS.steps[step]}
      </p>
    </Dialog>
  );
}

const textOf = (failure: unknown) =>
  isWrongMasterPassword(failure) ? MASTER_PASSWORD_TEXTS.invalid : reasonOf(failure);
