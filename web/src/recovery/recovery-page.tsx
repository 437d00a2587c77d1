/**
 * `/identity/initialRecovery`: restores a backup into an empty server (docs/spec/product.md §2,
 * docs/spec/decisions.md I8, I10).
 */
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { IdentityFrame, WaitingPage } from '../identity/identity-frame.tsx';
import { HOME } from '../session/guard.tsx';
import { useSession } from '../session/use-session.ts';
import { IDENTITY_TEXTS } from '../texts/identity/identity.ts';
import { RECOVERY_TEXTS as TEXTS } from '../texts/identity/signed-out.ts';
import { RecoveryFormView } from './recovery-form.tsx';
import { session } from '../page/page.ts';

export function RecoveryPage() {
  const { status } = useSession();
  usePageTitle(TEXTS.page);
  useEffect(() => {
    if (status === 'loading') void session.check();
    if (status === 'signup') session.beginRecovery();
  }, [status]);

  if (status === 'loading' || status === 'signup') return <WaitingPage text={IDENTITY_TEXTS.loading} />;
  // A server with users cannot be restored here.
  if (status !== 'initial recovery') return <Navigate to="/identity/loading" replace state={HOME} />;
  return (
    <IdentityFrame
      side={
        <>
          <h2>{TEXTS.side}</h2>
          <p>{TEXTS.sideText}</p>
        </>
      }
    >
      <RecoveryFormView />
    </IdentityFrame>
  );
}
