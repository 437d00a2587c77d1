/** The sign-up form of the first user and of invited people (docs/spec/product.md §2). */
import type { Finding, SignUpField } from '@passwordbroker/core/domain/sign-up-rules';
import type { FormEvent, ReactNode } from 'react';
import { IDENTITY_TEXTS } from '../../texts/identity/identity.ts';
import { SIGN_UP_TEXTS } from '../../texts/identity/signed-out.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/password-field';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../identity-frame.module.css';
import { useSiteRules } from '../passwords/use-site-rules.ts';
import { type Invited, useSignUp } from './use-sign-up.ts';

interface Props {
  readonly title: string;
  readonly hint: string;
  /** null for the first user. */
  readonly invited: Invited | null;
  /** Called when the form is sent for the first time. */
  readonly onBegin?: () => void;
  readonly children?: ReactNode;
}

export function SignUpForm({ title, hint, invited, onBegin, children }: Props) {
  const { rules, ask } = useSiteRules();
  const signUp = useSignUp(ask, invited);
  const { state, form, findings, refusals, isBusy, set } = signUp;
  const isNameLocked = invited !== null && invited.name !== null;

  const hasErrors = state === 'validation_returned_errors';
  const hasWarnings = state === 'validation_returned_warnings';
  const invalid = (field: SignUpField) => hasErrors && findings.some((finding) => finding.field === field);
  const differs = (one: string, confirmation: string) => confirmation !== '' && one !== confirmation;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onBegin?.();
    void signUp.submit();
  };
  return (
    <form className={styles['wide']} onSubmit={submit} noValidate>
      <div className={styles['heading']}>
        <h1>{title}</h1>
        <p>{hint}</p>
      </div>
      {!globalThis.isSecureContext && <MessageBox tone="danger" lines={[IDENTITY_TEXTS.needsHttps]} />}
      {invited === null && rules?.setup_token_required === true && (
        <TextField
          label={SIGN_UP_TEXTS.setupToken}
          hint={SIGN_UP_TEXTS.setupTokenHint}
          value={signUp.setupToken}
          onChange={signUp.setSetupToken}
          size="lg"
          autoComplete="off"
        />
      )}
      <div className={styles['two']}>
        <TextField
          label={SIGN_UP_TEXTS.userName}
          value={form.name}
          onChange={(name) => set({ name })}
          size="lg"
          isLocked={isNameLocked}
          autoFocus={!isNameLocked}
          autoComplete="name"
          maxLength={100}
          isInvalid={invalid('name')}
        />
        <TextField
          label={IDENTITY_TEXTS.email}
          value={form.email}
          onChange={(email) => set({ email })}
          type="email"
          size="lg"
          isLocked={invited !== null}
          autoComplete="username"
          isInvalid={invalid('email')}
        />
      </div>
      <div className={styles['two']}>
        <PasswordField
          label={IDENTITY_TEXTS.password}
          value={form.password}
          onChange={(password) => set({ password })}
          size="lg"
          autoFocus={isNameLocked}
          autoComplete="new-password"
          isInvalid={invalid('password')}
        />
        <PasswordField
          label={SIGN_UP_TEXTS.passwordConfirmation}
          value={form.passwordConfirmation}
          onChange={(passwordConfirmation) => set({ passwordConfirmation })}
          size="lg"
          autoComplete="new-password"
          isInvalid={invalid('passwordConfirmation') || differs(form.password, form.passwordConfirmation)}
        />
      </div>
      <div className={styles['two']}>
        <PasswordField
          label={SIGN_UP_TEXTS.masterPassword}
          value={form.masterPassword}
          onChange={(masterPassword) => set({ masterPassword })}
          hint={SIGN_UP_TEXTS.masterPasswordHint}
          size="lg"
          isInvalid={invalid('masterPassword')}
        />
        <PasswordField
          label={SIGN_UP_TEXTS.masterPasswordConfirmation}
          value={form.masterPasswordConfirmation}
          onChange={(masterPasswordConfirmation) => set({ masterPasswordConfirmation })}
          size="lg"
          isInvalid={
            invalid('masterPasswordConfirmation') || differs(form.masterPassword, form.masterPasswordConfirmation)
          }
        />
      </div>
      {hasErrors && (
        <MessageBox tone="danger" lines={[...findings.map(({ text }) => SIGN_UP_TEXTS.error(text)), ...refusals]} />
      )}
      {hasWarnings && <MessageBox tone="warning" lines={warningLines(findings)} />}
      <div className={styles['actions']}>
        {hasWarnings ? (
          <>
            <Button key="continue" variant="primary" size="lg" onPress={() => void signUp.continueAnyway()}>
              {SIGN_UP_TEXTS.continueAnyway}
            </Button>
            <Button key="back" variant="ghost" size="lg" autoFocus onPress={signUp.edit}>
              {SIGN_UP_TEXTS.goBack}
            </Button>
          </>
        ) : (
          <Button
            key="submit"
            variant="primary"
            size="lg"
            type="submit"
            busy={isBusy}
            busyLabel={state === 'validating' ? SIGN_UP_TEXTS.checking : SIGN_UP_TEXTS.makingKeys}
          >
            {SIGN_UP_TEXTS.signUp}
          </Button>
        )}
      </div>
      {!isBusy && children}
    </form>
  );
}

/** Adds the reason below the warning about equal passwords (docs/spec/threats.md §2). */
function warningLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ text, code }) =>
    code === 'identical' ? [SIGN_UP_TEXTS.warning(text), SIGN_UP_TEXTS.identicalHint] : [SIGN_UP_TEXTS.warning(text)],
  );
}
