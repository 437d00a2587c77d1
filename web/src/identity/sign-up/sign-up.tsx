/** `/identity/signup`: the first user of a server. */
import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { ADMIN_PATHS } from '../../admin/admin-paths.ts';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { HOME, originOf } from '../../session/guard.tsx';
import { useIsLedOn, useSession } from '../../session/use-session.ts';
import { SIGN_UP_TEXTS } from '../../texts/identity/signed-out.ts';
import { IdentityFrame, RedirectPage } from '../identity-frame.tsx';
import styles from '../identity-frame.module.css';
import { SignUpForm } from './sign-up-form.tsx';
import { TwoPasswords } from './two-passwords.tsx';

export function SignUpPage() {
  const { status } = useSession();
  const isLedOn = useIsLedOn('signup', 'initial recovery');
  usePageTitle(SIGN_UP_TEXTS.signUp);
  // Remembered, because signing up changes the status while the page is open.
  const [isFirst] = useState(status === 'signup');
  const { state: from } = useLocation() as { state: unknown };

  if (status === 'logged-in') return <RedirectPage to={afterSignUp(originOf(from), isFirst)} />;
  // Allows going back from a recovery that was not started.
  if (status !== 'signup' && status !== 'initial recovery')
    return <Navigate to={isLedOn ? '/identity/loading' : '/identity/login'} replace state={from ?? HOME} />;
  return (
    <IdentityFrame side={<TwoPasswords />}>
      <SignUpForm title={SIGN_UP_TEXTS.firstUser} hint={SIGN_UP_TEXTS.firstUserHint} invited={null}>
        <p className={styles['alternative']}>
          <Link to="/identity/initialRecovery">{SIGN_UP_TEXTS.fromBackup}</Link>
        </p>
      </SignUpForm>
    </IdentityFrame>
  );
}

/** The first user starts with the site checkup, unless another page was requested. */
const afterSignUp = (asked: string, isFirst: boolean) => (isFirst && asked === '/' ? ADMIN_PATHS.checkup : asked);
