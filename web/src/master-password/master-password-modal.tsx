/** Names the waiting operations. Closing cancels them. */
import { useId, useState, type FormEvent } from 'react';
import { MASTER_PASSWORD_TEXTS as TEXTS } from '@passwordbroker/client/texts/master-password';
import { Dialog, useFirstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import { LockGlyph } from './master-password-icon.tsx';
import styles from './master-password.module.css';
import { useMasterPassword, useMasterPasswordView } from './use-master-password.ts';

export function MasterPasswordModal() {
  const { modal } = useMasterPasswordView();
  return modal === null ? null : <OpenModal />;
}

function OpenModal() {
  const form = useId();
  const [input, focusAgain] = useFirstFocus();
  const masterPassword = useMasterPassword();
  const { state, modal } = useMasterPasswordView();
  const [typed, setTyped] = useState('');
  const problem = modal?.problem ?? null;
  const isTrying = modal?.isTrying ?? false;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await masterPassword.remember(typed);
    // Still mounted: the password was wrong and must be typed again.
    setTyped('');
    focusAgain();
  };
  const action = modal?.action ?? null;
  return (
    <Dialog
      title={TEXTS.title}
      subtitle={action === null ? TEXTS.neededLater : TEXTS.neededTo(action)}
      mark={
        <span className={styles['icon']} data-state={state}>
          <LockGlyph state={state} />
        </span>
      }
      onClose={masterPassword.close}
      isBusy={isTrying}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={masterPassword.close}
          submit={TEXTS.remember}
          submitting={TEXTS.unlocking}
          isBusy={isTrying}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <PasswordField
          ref={input}
          label={TEXTS.label}
          value={typed}
          onChange={setTyped}
          size="lg"
          autoComplete="off"
          hint={problem === null ? TEXTS.hint : TEXTS.hintAfterRefusal}
        />
      </form>
    </Dialog>
  );
}
