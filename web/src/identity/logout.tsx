/** Ends the session and drops the keys. Redirects once the server has confirmed. */
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Navigate } from 'react-router';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { lazyPart } from '../lib/chunk.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { CopyLeftError } from '@passwordbroker/client/session/local-side';
import type { Session } from '@passwordbroker/client/session/session';
import { pendingNavigation } from '../session/guard.tsx';
import { IDENTITY_TEXTS } from '../texts/identity/identity.ts';
import { LOGOUT_TEXTS } from '../texts/identity/signed-out.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { IdentityFrame, WaitingPage } from './identity-frame.tsx';
import styles from './identity-frame.module.css';
import { offline } from '../page/vault.ts';
import { session } from '../page/page.ts';

const KeepCopyQuestion = lazyPart('KeepCopyQuestion', () => import('./keep-copy-question.tsx'));

type End = 'asking' | 'under way' | 'done' | { readonly failure: unknown };

export function LogoutPage({ of = session }: { readonly of?: Pick<Session, 'logOut'> }) {
  const [end, setEnd] = useState<End>('under way');
  const hasBegun = useRef(false);
  const logOut = useCallback(() => {
    setEnd('under way');
    of.logOut().then(
      (url) => {
        pendingNavigation.forget();
        if (url !== undefined && /^https?:/.test(url)) location.assign(url);
        else setEnd('done');
      },
      (failure: unknown) => setEnd({ failure }),
    );
  }, [of]);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    // Looked up, because the page may have been reloaded.
    void offline.keepsCopy().then((keeps) => (keeps ? setEnd('asking') : logOut()));
  }, [logOut]);
  if (end === 'asking') {
    return (
      <Suspense fallback={<WaitingPage text={IDENTITY_TEXTS.loading} />}>
        <KeepCopyQuestion onAnswered={logOut} />
      </Suspense>
    );
  }
  if (end === 'under way') return <WaitingPage text={LOGOUT_TEXTS.loggingOut} />;
  if (end === 'done') return <Navigate to="/identity/login" replace />;
  return <NotDone failure={end.failure} onRetry={logOut} />;
}

/** The keys are dropped, but the session or the local copy may remain. */
function NotDone({ failure, onRetry }: { readonly failure: unknown; readonly onRetry: () => void }) {
  const isCopyLeft = failure instanceof CopyLeftError;
  const title = isCopyLeft ? LOGOUT_TEXTS.copyLeft : LOGOUT_TEXTS.notLoggedOut;
  const lines = isCopyLeft
    ? [LOGOUT_TEXTS.copyLeftText, reasonOf(failure.cause)]
    : [LOGOUT_TEXTS.stillSignedIn, reasonOf(failure)];
  usePageTitle(title);
  return (
    <IdentityFrame
      side={
        <>
          <h2>{LOGOUT_TEXTS.sideLogout}</h2>
          <p>{isCopyLeft ? LOGOUT_TEXTS.sideCopyLeftText : LOGOUT_TEXTS.sideLogoutText}</p>
        </>
      }
    >
      <div className={styles['heading']}>
        <h1>{title}</h1>
      </div>
      <MessageBox tone="danger" lines={lines} />
      <div className={styles['actions']}>
        <Button variant="primary" size="lg" onPress={onRetry} autoFocus>
          {IDENTITY_TEXTS.tryAgain}
        </Button>
      </div>
    </IdentityFrame>
  );
}
