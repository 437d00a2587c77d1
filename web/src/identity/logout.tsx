/** Ends the session, drops the keys, and leads back to signing in. */
import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { session } from '../session/session.ts';
import { IDENTITY_TEXTS as TEXTS } from '../texts/identity.ts';
import { WaitingPage } from './identity-frame.tsx';

export function LogoutPage() {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    const finish = () => setDone(true);
    session.logOut().then(finish, finish);
  }, []);
  return isDone ? <Navigate to="/identity/login" replace /> : <WaitingPage text={TEXTS.loggingOut} />;
}
