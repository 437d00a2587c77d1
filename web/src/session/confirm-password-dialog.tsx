import { confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import { type FormEvent, useId, useState, useSyncExternalStore } from 'react';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { FRESH_SIGN_IN_TEXTS as TEXTS } from '../texts/identity/account.ts';
import { Dialog, useFirstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';

/** Mounted once in the frame. Waiting operations resume after the password is confirmed. */
export function ConfirmPasswordDialog() {
  const isAsking = useSyncExternalStore(freshSignIn.subscribe, freshSignIn.isAsking);
  return isAsking ? <PasswordQuestion /> : null;
}

function PasswordQuestion() {
  const formId = useId();
  const [input, focusAgain] = useFirstFocus();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (password === '') return setProblem(TEXTS.missing);
    setBusy(true);
    setProblem(null);
    try {
      await http.call(confirmPassword, { body: { password } });
      freshSignIn.confirmed();
    } catch (failure) {
      setProblem(reasonOf(failure));
      setPassword('');
      setBusy(false);
      focusAgain();
    }
  };
  return (
    <Dialog
      title={TEXTS.title}
      subtitle={TEXTS.subtitle}
      onClose={freshSignIn.cancel}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={formId}
          cancel={TEXTS.cancel}
          onCancel={freshSignIn.cancel}
          submit={TEXTS.confirm}
          submitting={TEXTS.confirming}
          isBusy={isBusy}
        />
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} noValidate>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <PasswordField
          ref={input}
          label={TEXTS.password}
          hint={TEXTS.hint}
          value={password}
          onChange={setPassword}
          size="lg"
          autoComplete="current-password"
          isInvalid={problem !== null}
        />
      </form>
    </Dialog>
  );
}
