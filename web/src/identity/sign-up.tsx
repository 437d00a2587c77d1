/** `/identity/signup`: the first user of a server. */
import { Link, Navigate, useLocation } from 'react-router';
import { usePageTitle } from '../frame/use-page-title.ts';
import { HOME, originOf } from '../session/guard.tsx';
import { useSession } from '../session/use-session.ts';
import { IDENTITY_TEXTS as TEXTS } from '../texts/identity.ts';
import { IdentityFrame } from './identity-frame.tsx';
import styles from './identity-frame.module.css';
import { SignUpForm } from './sign-up-form.tsx';
import { TwoPasswords } from './two-passwords.tsx';

export function SignUpPage() {
  const { status } = useSession();
  usePageTitle(TEXTS.signUp);
  const { state: from } = useLocation() as { state: unknown };

  if (status === 'logged-in') return <Navigate to={originOf(from)} replace />;
  // The way back from a recovery that was not begun.
  if (status !== 'signup' && status !== 'initial recovery')
    return (
      <Navigate to={status === 'loading' ? '/identity/loading' : '/identity/login'} replace state={from ?? HOME} />
    );
  return (
    <IdentityFrame side={<TwoPasswords />}>
      <SignUpForm title={TEXTS.firstUser} hint={TEXTS.firstUserHint} invited={null}>
        <p className={styles['otherWay']}>
          <Link to="/identity/initialRecovery">{TEXTS.fromBackup}</Link>
        </p>
      </SignUpForm>
    </IdentityFrame>
  );
}
