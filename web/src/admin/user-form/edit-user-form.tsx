import { update } from '@passwordbroker/core/contract/users/people';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { User } from '@passwordbroker/core/contract/users/user';
import { type FormEvent, useState } from 'react';
import { activityLog } from '../../activity-log/activity-log.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_USERS_TEXTS } from '../../texts/admin/users.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../admin.module.css';
import { http, session } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';

const TEXTS = ADMIN_USERS_TEXTS.update;

interface Props {
  readonly user: User;
  readonly onSaved: () => Promise<unknown>;
}

type End =
  | { readonly state: 'none' | 'busy' | 'done' }
  | { readonly state: 'refused'; readonly errors: Readonly<Record<string, readonly string[]>> };

/** Name and e-mail. The general error line precedes field errors of the server (docs/spec/product.md §8). */
export function EditUserForm({ user, onSaved }: Props) {
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
