/** `/admin/user_control/add` (docs/spec/product.md §2, §5). */
import { UserPlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { useSiteRules } from '../../identity/passwords/use-site-rules.ts';
import { ADMIN_USERS_TEXTS } from '../../texts/admin/users.ts';
import { SIGN_UP_TEXTS } from '../../texts/identity/signed-out.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../admin.module.css';
import { pairsOf, withoutDigit, createUser, refusedLines, verdictOn } from './create-user.ts';
import type { SignUpForm } from '@passwordbroker/core/domain/sign-up-rules';
import { useQueryClient } from '@tanstack/react-query';
import { activityLog } from '../../activity-log/activity-log.ts';
import { EMPTY_SIGN_UP, type AskPolicy } from '../../identity/passwords/judge-passwords.ts';
import { USERS_KEY } from '../users/use-users.ts';
import { keyring } from '../../page/vault.ts';
import { http } from '../../page/page.ts';

const TEXTS = ADMIN_USERS_TEXTS.create;

export function CreateUserPage() {
  usePageTitle(TEXTS.page);
  const { form, end, set, submit, goOn, goBack } = useCreateUser(useSiteRules().ask);
  const pairs = pairsOf(form);
  const flagged = withoutDigit(form);
  const secret = (name: Parameters<typeof flagged.has>[0]) => ({
    value: form[name],
    onChange: (text: string) => set({ [name]: text }),
    ...(flagged.has(name) ? { hint: TEXTS.noDigit } : {}),
  });
  const begin = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };

  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{TEXTS.page}</h1>
      </header>
      <form className={styles['form']} onSubmit={begin} noValidate autoComplete="off">
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
          <PasswordField label={TEXTS.password} autoComplete="new-password" {...secret('password')} />
          <PasswordField
            label={pairs.password ? TEXTS.confirmPassword : TEXTS.passwordsDiffer}
            isLabelWrong={!pairs.password}
            isInvalid={!pairs.password}
            autoComplete="new-password"
            {...secret('passwordConfirmation')}
          />
        </div>
        <div className={styles['two']}>
          <PasswordField label={TEXTS.masterPassword} {...secret('masterPassword')} />
          <PasswordField
            label={pairs.masterPassword ? TEXTS.confirmMasterPassword : TEXTS.masterPasswordsDiffer}
            isLabelWrong={!pairs.masterPassword}
            isInvalid={!pairs.masterPassword}
            {...secret('masterPasswordConfirmation')}
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
        {end.state === 'warned' && <MessageBox tone="warning" lines={end.lines.map(SIGN_UP_TEXTS.warning)} />}
        <div className={styles['actions']}>
          {end.state === 'warned' ? (
            <>
              <Button key="continue" variant="primary" onPress={() => void goOn()}>
                {SIGN_UP_TEXTS.continueAnyway}
              </Button>
              <Button key="back" variant="ghost" autoFocus onPress={goBack}>
                {SIGN_UP_TEXTS.goBack}
              </Button>
            </>
          ) : (
            <Button
              key="submit"
              variant="primary"
              type="submit"
              icon={<UserPlus size={16} />}
              busy={end.state === 'busy'}
              busyLabel={TEXTS.making}
            >
              {TEXTS.submit}
            </Button>
          )}
        </div>
      </form>
    </div>
  );
}

type End =
  | { readonly state: 'none' | 'busy' | 'done' }
  | { readonly state: 'refused' | 'warned'; readonly lines: readonly string[] };

function useCreateUser(ask: AskPolicy) {
  const client = useQueryClient();
  const [form, setForm] = useState(EMPTY_SIGN_UP);
  const [end, setEnd] = useState<End>({ state: 'none' });

  async function send(): Promise<void> {
    setEnd({ state: 'busy' });
    try {
      const user = await createUser(http, keyring, form);
      if (user === null) return setEnd({ state: 'none' });
      activityLog.add(`${ADMIN_USERS_TEXTS.create.created} ${user.name}`);
      setForm(EMPTY_SIGN_UP);
      setEnd({ state: 'done' });
      await client.invalidateQueries({ queryKey: USERS_KEY });
    } catch (failure) {
      setEnd({ state: 'refused', lines: refusedLines(failure) });
    }
  }

  /** Does nothing while a confirmation differs from its password. */
  async function submit(): Promise<void> {
    const pairs = pairsOf(form);
    if (end.state === 'busy' || !pairs.password || !pairs.masterPassword) return;
    setEnd({ state: 'busy' });
    const { refusals, warnings } = await verdictOn(form, ask);
    if (refusals.length > 0) setEnd({ state: 'refused', lines: refusals });
    else if (warnings.length > 0) setEnd({ state: 'warned', lines: warnings });
    else await send();
  }

  return {
    form,
    end,
    set: (change: Partial<SignUpForm>) => {
      if (end.state === 'busy') return;
      setForm({ ...form, ...change });
      setEnd({ state: 'none' });
    },
    submit,
    goOn: () => (end.state === 'warned' ? send() : Promise.resolve()),
    goBack: () => setEnd({ state: 'none' }),
  };
}
