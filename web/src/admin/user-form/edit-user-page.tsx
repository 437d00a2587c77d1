/** `/admin/user_control/update/{userId}` (docs/spec/product.md §2). */
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { useSession } from '../../session/use-session.ts';
import { ADMIN_USERS_TEXTS } from '../../texts/admin/users.ts';
import { ADMIN_PATHS } from '../admin-paths.ts';
import styles from '../admin.module.css';
import { Failed, Waiting } from '../list-parts.tsx';
import { USERS_KEY, useUser } from '../users/use-users.ts';
import { UserMarks } from '../users/user-row.tsx';
import { update } from '@passwordbroker/core/contract/users/people';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { User } from '@passwordbroker/core/contract/users/user';
import { type FormEvent, useState, useId } from 'react';
import { activityLog, tellDone } from '../../activity-log/activity-log.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField, PasswordField } from '@passwordbroker/ui/inputs/text-field';
import { http, session } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { translated } from '@passwordbroker/core/texts';
import { refusedLines } from './create-user.ts';
import { UserLinks } from './user-links.tsx';

const TEXTS = ADMIN_USERS_TEXTS.update;

export function EditUserPage() {
  usePageTitle(TEXTS.page);
  const { userId = '' } = useParams();
  const client = useQueryClient();
  const { user: self } = useSession();
  const { data: user, error, isFetching, refetch } = useUser(userId);
  const refresh = () => client.invalidateQueries({ queryKey: USERS_KEY });
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{TEXTS.page}</h1>
        <Link to={ADMIN_PATHS.users} className={styles['back']}>
          {TEXTS.back}
        </Link>
      </header>
      {user === undefined && error === null && <Waiting text={TEXTS.loading} />}
      {error !== null && !isFetching && (
        <Failed text={TEXTS.loadFailed} failure={error} onRetry={() => void refetch()} />
      )}
      {user !== undefined && (
        <div key={user.user_id}>
          <UserMarks user={user} />
          <EditUserForm user={user} onSaved={refresh} />
          {user.user_id !== self?.user_id && <NewPasswordForm user={user} onSaved={refresh} />}
          <UserLinks user={user} onChanged={refresh} />
        </div>
      )}
    </div>
  );
}

interface Props {
  readonly user: User;
  readonly onSaved: () => Promise<unknown>;
}

type End =
  | { readonly state: 'none' | 'busy' | 'done' }
  | { readonly state: 'refused'; readonly errors: Readonly<Record<string, readonly string[]>> };

/** The general error line precedes field errors of the server (docs/spec/product.md §8). */
function EditUserForm({ user, onSaved }: Props) {
  const [name, setName] = useState(user.name);
  const [email, setEmail] = useState(user.email);
  const [end, setEnd] = useState<End>({ state: 'none' });
  const errors = end.state === 'refused' ? end.errors : {};
  const edit = (change: () => void) => {
    change();
    if (end.state !== 'busy') setEnd({ state: 'none' });
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (end.state === 'busy') return;
    setEnd({ state: 'busy' });
    try {
      const call = () => http.call(update, { params: { id: user.user_id }, body: { name, email } });
      const changed = await freshSignIn.tryRun(call);
      if (changed === null) return setEnd({ state: 'none' });
      session.know(changed);
      setName(changed.name);
      setEmail(changed.email);
      setEnd({ state: 'done' });
      activityLog.add(`${TEXTS.done}: ${changed.name}`);
      await onSaved();
    } catch (failure) {
      setEnd({ state: 'refused', errors: failure instanceof AppError ? (failure.errors ?? {}) : {} });
    }
  };
  return (
    <form className={`${styles['form']} ${styles['small']}`} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={TEXTS.name}
        value={name}
        onChange={(text) => edit(() => setName(text))}
        error={errors['name']?.[0]}
        maxLength={100}
        autoComplete="off"
      />
      <TextField
        label={TEXTS.email}
        type="email"
        value={email}
        onChange={(text) => edit(() => setEmail(text))}
        error={errors['email']?.[0]}
        autoComplete="off"
      />
      {end.state === 'refused' && <MessageBox tone="danger" lines={[TEXTS.failed]} />}
      {end.state === 'done' && <MessageBox tone="success" lines={[TEXTS.done]} />}
      <div className={styles['actions']}>
        <Button variant="primary" type="submit" busy={end.state === 'busy'} busyLabel={ADMIN_TEXTS.saving}>
          {ADMIN_TEXTS.save}
        </Button>
      </div>
    </form>
  );
}

/** The master password does not change (docs/spec/api.md §3.2). */
function NewPasswordForm({ user, onSaved }: Props) {
  const id = useId();
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [lines, setLines] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const differs = confirmation !== '' && password !== confirmation;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (password === '') return setLines([translated(SIGN_UP_TEXTS.passwordEmpty)]);
    if (password !== confirmation) return setLines([translated(SIGN_UP_TEXTS.passwordMismatch)]);
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
