import { useEffect } from 'react';
import { tellDone } from '../activity-log/activity-log.ts';
import { RedirectPage } from '../identity/identity-frame.tsx';
import { originOf, pendingNavigation } from '../session/guard.tsx';
import { SSO_TEXTS as TEXTS } from '../texts/identity/sso.ts';

/** Goes back to the page where the fresh sign-in was asked for. What the person wanted to do there was lost. */
export function Confirmed() {
  useEffect(() => tellDone(TEXTS.confirm.done), []);
  return <RedirectPage to={originOf({ from: pendingNavigation.read() })} />;
}
