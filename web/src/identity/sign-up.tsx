import type { SignUpField } from '@passwordbroker/core/domain/sign-up-rules';
import type { FormEvent } from 'react';
import { Navigate, useLocation } from 'react-router';
import { usePageTitle } from '../frame/use-page-title.ts';
import { originOf } from '../session/guard.tsx';
import { useSession } from '../session/use-session.ts';
import { IDENTITY_TEXTS as TEXTS } from '../texts/identity.ts';
import { Button } from '../ui/button.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { IdentityFrame } from './identity-frame.tsx';
import styles from './identity-frame.module.css';
import { useSiteRules } from './use-site-rules.ts';
import { useSignUp } from './use-sign-up.ts';

export function SignUpPage() {
  const { status } = useSession();
  usePageTitle(TEXTS.signUp);
  const { state: from } = useLocation() as { state: unknown };
  const rules = useSiteRules();
  const signUp = useSignUp(rules?.password_policy ?? 'warn');
  const { state, form, findings, refusals, set } = signUp;

  if (status === 'logged-in') return <Navigate to={originOf(from)} replace />;
  if (status !== 'signup')
    return <Navigate to={status === 'loading' ? '/identity/loading' : '/identity/login'} replace state={from} />;

  const isBusy = state === 'validating' || state === 'in_process';
  const hasErrors = state === 'validation_returned_errors';
  const hasWarnings = state === 'validation_returned_warnings';
  const invalid = (field: SignUpField) => hasErrors && findings.some((finding) => finding.field === field);
  const differs = (one: string, confirmation: string) => confirmation !== '' && one !== confirmation;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void signUp.submit();
  };
  return (
    <IdentityFrame
      side={
        <>
          <h2>{TEXTS.sideSignUp}</h2>
          <dl>
            <div>
              <dt>{TEXTS.password}</dt>
              <dd>{TEXTS.sidePassword}</dd>
            </div>
            <div>
              <dt>{TEXTS.masterPassword}</dt>
              <dd>{TEXTS.sideMasterPassword}</dd>
            </div>
          </dl>
        </>
      }
    >
      <form className={styles['wide']} onSubmit={submit} noValidate>
        <div className={styles['heading']}>
          <h1>{TEXTS.firstUser}</h1>
          <p>{TEXTS.firstUserHint}</p>
        </div>
        {!globalThis.isSecureContext && <MessageBox tone="danger" lines={[TEXTS.needsHttps]} />}
        {rules?.setup_token_required === true && (
          <TextField
            label={TEXTS.setupToken}
            hint={TEXTS.setupTokenHint}
            value={signUp.setupToken}
            onChange={signUp.setSetupToken}
            size="lg"
            autoComplete="off"
          />
        )}
        <div className={styles['two']}>
          <TextField
            label={TEXTS.userName}
            value={form.name}
            onChange={(name) => set({ name })}
            size="lg"
            autoFocus
            autoComplete="name"
            maxLength={100}
            isInvalid={invalid('name')}
          />
          <TextField
            label={TEXTS.email}
            value={form.email}
            onChange={(email) => set({ email })}
            type="email"
            size="lg"
            autoComplete="username"
            isInvalid={invalid('email')}
          />
        </div>
        <div className={styles['two']}>
          <PasswordField
            label={TEXTS.password}
            value={form.password}
            onChange={(password) => set({ password })}
            size="lg"
            autoComplete="new-password"
            isInvalid={invalid('password')}
          />
          <PasswordField
            label={TEXTS.passwordConfirmation}
            value={form.passwordConfirmation}
            onChange={(passwordConfirmation) => set({ passwordConfirmation })}
            size="lg"
            autoComplete="new-password"
            isInvalid={invalid('passwordConfirmation') || differs(form.password, form.passwordConfirmation)}
          />
        </div>
        <div className={styles['two']}>
          <PasswordField
            label={TEXTS.masterPassword}
            value={form.masterPassword}
            onChange={(masterPassword) => set({ masterPassword })}
            size="lg"
            isInvalid={invalid('masterPassword')}
          />
          <PasswordField
            label={TEXTS.masterPasswordConfirmation}
            value={form.masterPasswordConfirmation}
            onChange={(masterPasswordConfirmation) => set({ masterPasswordConfirmation })}
            size="lg"
            isInvalid={
              invalid('masterPasswordConfirmation') || differs(form.masterPassword, form.masterPasswordConfirmation)
            }
          />
        </div>
        {hasErrors && (
          <MessageBox tone="danger" lines={[...findings.map(({ text }) => TEXTS.error(text)), ...refusals]} />
        )}
        {hasWarnings && <MessageBox tone="warning" lines={warningLines(findings.map(({ text }) => text))} />}
        <div className={styles['actions']}>
          {hasWarnings ? (
            <>
              <Button key="continue" variant="primary" size="lg" onPress={() => void signUp.continueAnyway()}>
                {TEXTS.continueAnyway}
              </Button>
              <Button key="back" variant="ghost" size="lg" onPress={signUp.edit}>
                {TEXTS.goBack}
              </Button>
            </>
          ) : (
            <Button
              key="submit"
              variant="primary"
              size="lg"
              type="submit"
              busy={isBusy}
              busyLabel={state === 'validating' ? TEXTS.checking : TEXTS.makingKeys}
            >
              {TEXTS.signUp}
            </Button>
          )}
        </div>
      </form>
    </IdentityFrame>
  );
}

/** Why an equal master password is a bad idea stands right under that warning (threats §2). */
function warningLines(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    text.includes('identical') ? [TEXTS.warning(text), TEXTS.identicalHint] : [TEXTS.warning(text)],
  );
}
