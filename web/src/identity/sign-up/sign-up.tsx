/** `/identity/signup`: the first user of a server. */
import { useState, type FormEvent, type ReactNode } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { ADMIN_PATHS } from '../../admin/admin-paths.ts';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { HOME, originOf } from '../../session/guard.tsx';
import { loadChunk } from '../../lib/chunk.ts';
import { useIsLedOn, useSession } from '../../session/use-session.ts';
import { SIGN_UP_TEXTS } from '../../texts/identity/signed-out.ts';
import { IdentityFrame, RedirectPage } from '../identity-frame.tsx';
import styles from '../identity-frame.module.css';
import {
  type Finding,
  type SignUpField,
  type SignUpForm,
  signUpErrors,
  signUpWarnings,
} from '@passwordbroker/core/domain/sign-up-rules';
import { IDENTITY_TEXTS } from '../../texts/identity/identity.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { useSiteRules } from '../passwords/use-site-rules.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Inviter } from '@passwordbroker/client/session/inviter-fragment';
import { EMPTY_SIGN_UP, type AskPolicy, questionOf, strengthsOf } from '../passwords/judge-passwords.ts';
import { useJudgedForm } from '../passwords/use-judged-form.ts';
import { session, unlock } from '../../page/page.ts';

export function SignUpPage() {
  const { status } = useSession();
  const isLedOn = useIsLedOn('signup', 'initial recovery');
  usePageTitle(SIGN_UP_TEXTS.signUp);
  // Signing up changes the status while the page is open.
  const [isFirst] = useState(status === 'signup');
  const { state: from } = useLocation() as { state: unknown };

  if (status === 'logged-in') return <RedirectPage to={afterSignUp(originOf(from), isFirst)} />;
  // Allows going back from a recovery that was not started.
  if (status !== 'signup' && status !== 'initial recovery')
    return <Navigate to={isLedOn ? '/identity/loading' : '/identity/login'} replace state={from ?? HOME} />;
  return (
    <IdentityFrame side={<TwoPasswords />}>
      <SignUpFormView title={SIGN_UP_TEXTS.firstUser} hint={SIGN_UP_TEXTS.firstUserHint} invited={null}>
        <p className={styles['alternative']}>
          <Link to="/identity/initialRecovery">{SIGN_UP_TEXTS.fromBackup}</Link>
        </p>
      </SignUpFormView>
    </IdentityFrame>
  );
}

/** The first user starts with the site checkup, unless another page was requested. */
const afterSignUp = (asked: string, isFirst: boolean) => (isFirst && asked === '/' ? ADMIN_PATHS.checkup : asked);

interface Props {
  readonly title: string;
  readonly hint: string;
  /** null for the first user. */
  readonly invited: Invited | null;
  readonly onBegin?: () => void;
  readonly children?: ReactNode;
}

/** docs/spec/product.md §2 */
export function SignUpFormView({ title, hint, invited, onBegin, children }: Props) {
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

/** Explains the warning about equal passwords (docs/spec/threats.md §2). */
function warningLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ text, code }) =>
    code === 'identical' ? [SIGN_UP_TEXTS.warning(text), SIGN_UP_TEXTS.identicalHint] : [SIGN_UP_TEXTS.warning(text)],
  );
}

/** In display order (docs/spec/product.md §8). */
const SERVER_FIELDS = [
  'user.name',
  'user.email',
  'user.password',
  'user.password_confirmation',
  'user.master_password',
  'user.master_password_confirmation',
  'setup_token',
] as const;

/** A missing name can be chosen (docs/spec/decisions.md I4). */
export interface Invited {
  readonly token: string;
  readonly name: string | null;
  readonly email: string;
  /** The inviter whose key is in the link. */
  readonly inviter: Inviter | null;
}

/** @param invited null for the first user of the server */
export function useSignUp(ask: AskPolicy, invited: Invited | null) {
  const [setupToken, setSetupToken] = useState('');
  const judged = useJudgedForm<SignUpForm, Finding>({
    ask,
    start: () => startOf(invited),
    errorsOf: signUpErrors,
    questionOf,
    warningsOf: (form, strengths) => signUpWarnings(form, strengthsOf(strengths)),
    send: async ({ name, email, password, masterPassword }) => {
      const inviter = invited?.inviter ?? null;
      const invite = {
        ...(invited === null ? {} : { inviteToken: invited.token }),
        ...(inviter === null ? {} : { inviter }),
      };
      await session.signUp({
        name: name.trim(),
        email: email.trim(),
        password,
        masterPassword,
        setupToken,
        ...invite,
      });
      // Goes on while the next page opens.
      void unlock(masterPassword).then(offerKit);
    },
    refusalOf: (failure) => ({ lines: linesOf(failure) }),
  });
  return { ...judged, setupToken, setSetupToken };
}

/** The last step of sign-up, above the page that opens next. */
const offerKit = async () =>
  (await loadChunk('vault', () => import('../../page/vault.ts'))).kitOffer.put({ kind: 'signed up' });

const startOf = (invited: Invited | null): SignUpForm =>
  invited === null ? EMPTY_SIGN_UP : { ...EMPTY_SIGN_UP, name: invited.name ?? '', email: invited.email };

/** docs/spec/product.md §8 */
export function linesOf(failure: unknown): string[] {
  if (failure instanceof AppError) {
    const lines = SERVER_FIELDS.flatMap((field) => failure.errors?.[field] ?? []);
    return lines.length > 0 ? lines : [failure.message];
  }
  return [failure instanceof Error && failure.message !== '' ? failure.message : SIGN_UP_TEXTS.signUpFailed];
}

export function TwoPasswords() {
  return (
    <>
      <h2>{SIGN_UP_TEXTS.sideSignUp}</h2>
      <dl>
        <div>
          <dt>{IDENTITY_TEXTS.password}</dt>
          <dd>{SIGN_UP_TEXTS.sidePassword}</dd>
        </div>
        <div>
          <dt>{SIGN_UP_TEXTS.masterPassword}</dt>
          <dd>{SIGN_UP_TEXTS.sideMasterPassword}</dd>
        </div>
      </dl>
    </>
  );
}
