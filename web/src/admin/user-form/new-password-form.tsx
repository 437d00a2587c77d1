/** Sets a new account password; the master password does not change (docs/spec/api.md §3.2). */
import { update } from '@passwordbroker/core/contract/users/people';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import type { User } from '@passwordbroker/core/contract/users/user';
import { type FormEvent, useId, useState } from 'react';
import { tellDone } from '../../activity-log/tell.ts';
import { ADMIN_USERS_TEXTS } from '../../texts/admin/users.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/password-field';
import styles from '../admin.module.css';
import { refusedLines } from './create-user.ts';
import { http } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';

const TEXTS = ADMIN_USERS_TEXTS.update;

interface Props {
  readonly user: User;
  readonly onSaved: () => Promise<unknown>;
}

export function NewPasswordForm({ user, onSaved }: Props) {
  const id = useId();
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [lines, setLines] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const differs = confirmation !== '' && password !== confirmation;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (password === '') return setLines([SIGN_UP_TEXTS.passwordEmpty]);
    if (password !== confirmation) return setLines([SIGN_UP_TEXTS.passwordMismatch]);
    setBusy(true);
    setLines([]);
    try {
      const body = { password, password_confirmation: confirmation };
      const changed = await freshSignIn.tryRun(() => http.call(update, { params: { id: user.user_id }, body }));
      if (changed !== null) {
        setPassword('');
        setConfirmation('');
        tellDone(TEXTS.passwordDone);
        await onSaved();
      }
    } catch (failure) {
      setLines(refusedLines(failure));
    }
    setBusy(false);
  };
  return (
    <form
      className={`${styles['card']} ${styles['small']}`}
      onSubmit={(event) => void submit(event)}
      noValidate
      autoComplete="off"
      aria-labelledby={id}
    >
      <div>
        <h2 id={id}>{TEXTS.passwordTitle}</h2>
        <p className={styles['hint']}>{TEXTS.passwordText}</p>
      </div>
      <PasswordField label={TEXTS.password} value={password} onChange={setPassword} autoComplete="new-password" />
      <PasswordField
        label={TEXTS.confirmation}
        value={confirmation}
        onChange={setConfirmation}
        autoComplete="new-password"
        isInvalid={differs}
      />
      {lines.length > 0 && <MessageBox tone="danger" lines={lines} />}
      <div>
        <Button type="submit" busy={isBusy} busyLabel={TEXTS.setting}>
          {TEXTS.setPassword}
        </Button>
      </div>
    </form>
  );
}
