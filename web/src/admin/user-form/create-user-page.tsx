/** `/admin/user_control/add`: an account with its first passwords (docs/spec/product.md §2, §5). */
import { UserPlus } from 'lucide-react';
import type { FormEvent } from 'react';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { useSiteRules } from '../../identity/passwords/use-site-rules.ts';
import { ADMIN_USERS_TEXTS } from '../../texts/admin/users.ts';
import { SIGN_UP_TEXTS } from '../../texts/identity/signed-out.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/password-field';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../admin.module.css';
import { pairsOf, withoutDigit } from './create-user-rules.ts';
import { useCreateUser } from './use-create-user.ts';

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
