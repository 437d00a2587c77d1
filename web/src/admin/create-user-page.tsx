/** `/admin/user_control/add`: an account with its first passwords (specification §2, §5). */
import { UserPlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { SignUpForm } from '@passwordbroker/core/domain/sign-up-rules';
import { activityLog } from '../activity-log/activity-log.ts';
import { usePageTitle } from '../frame/use-page-title.ts';
import { EMPTY_SIGN_UP } from '../identity/empty-sign-up.ts';
import { useSiteRules } from '../identity/use-site-rules.ts';
import { keyring } from '../keyring/keyring.ts';
import { http } from '../lib/http.ts';
import { ADMIN_USERS_TEXTS } from '../texts/admin-users.ts';
import { Button } from '../ui/button.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import styles from './admin.module.css';
import { createUser, refusalsOf, refusedLines } from './create-user.ts';
import { pairsOf, withoutDigit } from './create-user-rules.ts';
import { USERS_KEY } from './use-users.ts';

const TEXTS = ADMIN_USERS_TEXTS.create;

type End = { readonly state: 'none' | 'busy' | 'done' } | { readonly state: 'refused'; readonly lines: string[] };

export function CreateUserPage() {
  usePageTitle(TEXTS.page);
  const client = useQueryClient();
  const policy = useSiteRules()?.password_policy ?? 'warn';
  const [form, setForm] = useState(EMPTY_SIGN_UP);
  const [end, setEnd] = useState<End>({ state: 'none' });
  const set = (change: Partial<SignUpForm>) => {
    setForm({ ...form, ...change });
    if (end.state !== 'busy') setEnd({ state: 'none' });
  };
  const pairs = pairsOf(form);
  const flagged = withoutDigit(form);
  const flag = (name: Parameters<typeof flagged.has>[0]) => (flagged.has(name) ? { hint: TEXTS.noDigit } : {});

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (end.state === 'busy' || !pairs.password || !pairs.masterPassword) return;
    setEnd({ state: 'busy' });
    try {
      const lines = await refusalsOf(form, policy);
      if (lines.length > 0) return setEnd({ state: 'refused', lines });
      const user = await createUser(http, keyring, form);
      activityLog.add(`${TEXTS.created} ${user.name}`);
      setForm(EMPTY_SIGN_UP);
      setEnd({ state: 'done' });
      await client.invalidateQueries({ queryKey: USERS_KEY });
    } catch (failure) {
      setEnd({ state: 'refused', lines: refusedLines(failure) });
    }
  };

  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{TEXTS.page}</h1>
      </header>
      <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
        <div className={styles['two']}>
          <TextField
            label={TEXTS.email}
            type="email"
            value={form.email}
            onChange={(email) => set({ email })}
            autoComplete="off"
          />
          <TextField
            label={TEXTS.username}
            value={form.name}
            onChange={(name) => set({ name })}
            maxLength={100}
            autoComplete="off"
          />
        </div>
        <div className={styles['two']}>
          <PasswordField
            label={TEXTS.password}
            value={form.password}
            onChange={(password) => set({ password })}
            autoComplete="new-password"
            {...flag('password')}
          />
          <PasswordField
            label={pairs.password ? TEXTS.confirmPassword : TEXTS.passwordsDiffer}
            isLabelWrong={!pairs.password}
            isInvalid={!pairs.password}
            value={form.passwordConfirmation}
            onChange={(passwordConfirmation) => set({ passwordConfirmation })}
            autoComplete="new-password"
            {...flag('passwordConfirmation')}
          />
        </div>
        <div className={styles['two']}>
          <PasswordField
            label={TEXTS.masterPassword}
            value={form.masterPassword}
            onChange={(masterPassword) => set({ masterPassword })}
            {...flag('masterPassword')}
          />
          <PasswordField
            label={pairs.masterPassword ? TEXTS.confirmMasterPassword : TEXTS.masterPasswordsDiffer}
            isLabelWrong={!pairs.masterPassword}
            isInvalid={!pairs.masterPassword}
            value={form.masterPasswordConfirmation}
            onChange={(masterPasswordConfirmation) => set({ masterPasswordConfirmation })}
            {...flag('masterPasswordConfirmation')}
          />
        </div>
        <div>
          <p className={styles['hint']} data-flagged={flagged.size > 0 || undefined}>
            {TEXTS.hint}
          </p>
          <p className={styles['hint']}>{TEXTS.rekey}</p>
        </div>
        {end.state === 'done' && <MessageBox tone="success" lines={[TEXTS.created]} />}
        {end.state === 'refused' && <MessageBox tone="danger" lines={end.lines} />}
        <div className={styles['actions']}>
          <Button
            variant="primary"
            type="submit"
            icon={<UserPlus size={16} />}
            busy={end.state === 'busy'}
            busyLabel={TEXTS.making}
          >
            {TEXTS.submit}
          </Button>
        </div>
      </form>
    </div>
  );
}
