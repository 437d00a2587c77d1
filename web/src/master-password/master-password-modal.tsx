/** Names the waiting operations. Closing cancels them. */
import { Suspense, useId, useState, type FormEvent } from 'react';
import { MASTER_PASSWORD_TEXTS as TEXTS } from '@passwordbroker/client/texts/master-password';
import { Dialog, useFirstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import { askPasskey, PasskeyButton, useCanUsePasskey } from '../passkeys/use-passkey.tsx';
import { lazyPart } from '../lib/chunk.ts';
import { KIT_BANNER_TEXTS } from '../texts/identity/recovery-kit-banner.ts';
import { LockGlyph } from './master-password-icon.tsx';
import styles from './master-password.module.css';
import { useMasterPassword, useMasterPasswordView } from './use-master-password.ts';

const ForgottenDialog = lazyPart('ForgottenDialog', () => import('../recovery-kit/forgotten-dialog.tsx'));

export function MasterPasswordModal() {
  const { modal } = useMasterPasswordView();
  return modal === null ? null : <OpenModal />;
}

/** Asks for the master password, or for the recovery key in its place. */
function OpenModal() {
  const [isForgotten, setForgotten] = useState(false);
  if (!isForgotten) return <AskPassword onForgotten={() => setForgotten(true)} />;
  return (
    <Suspense fallback={null}>
      <ForgottenDialog onBack={() => setForgotten(false)} />
    </Suspense>
  );
}

function AskPassword({ onForgotten }: { readonly onForgotten: () => void }) {
  const form = useId();
  const [input, focusAgain] = useFirstFocus();
  const masterPassword = useMasterPassword();
  const { state, modal } = useMasterPasswordView();
  const [typed, setTyped] = useState('');
  const [isAsking, setAsking] = useState(false);
  const canUsePasskey = useCanUsePasskey();
  const problem = modal?.problem ?? null;
  const isTrying = modal?.isTrying ?? false;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await masterPassword.remember(typed);
    // Still mounted: the password was wrong and must be typed again.
    setTyped('');
    focusAgain();
  };
  const openWithPasskey = async () => {
    setAsking(true);
    await masterPassword.usePasskey(askPasskey);
    setAsking(false);
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
          isBusy={isTrying && !isAsking}
          isHeld={isTrying}
          isDisabled={isAsking}
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
        {canUsePasskey && <PasskeyButton isBusy={isAsking} onPress={() => void openWithPasskey()} />}
        <div>
          <Button variant="ghost" size="sm" isDisabled={isTrying} onPress={onForgotten}>
            {KIT_BANNER_TEXTS.forgot}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
