/** Asks for a second factor while there is still time, and for new recovery codes when few are left. */
import { ShieldAlert } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '@passwordbroker/ui/actions/button';
import { Banner } from '@passwordbroker/ui/feedback/banner';
import { formatTime } from '../lib/format.ts';
import { useSession } from '../session/use-session.ts';
import { GRACE_TEXTS as TEXTS } from '../texts/identity/factors.ts';
import { fewCodes } from './few-codes.ts';
import { OwnEventsBeforeSignIn } from './own-events.tsx';

export function FactorBanners() {
  const { user, server } = useSession();
  const left = useSyncExternalStore(fewCodes.subscribe, fewCodes.left);
  const navigate = useNavigate();
  // Second factors cannot be changed with the token of another server's page.
  if (user === null || server !== null) return null;
  const toSection = () => {
    void navigate('/account#signing-in');
    // The section scrolls to itself when the page opens; it may be open already.
    document.getElementById('signing-in')?.scrollIntoView();
  };
  const toAccount = (text: string) => (
    <Button size="sm" onPress={toSection}>
      {text}
    </Button>
  );
  return (
    <>
      {user.factor_due_at !== undefined && user.factor_state !== 'set' && (
        <Banner tone="warning" icon={<ShieldAlert size={16} />} action={toAccount(TEXTS.setUp)}>
          <b>{TEXTS.due(formatTime(user.factor_due_at))}</b> {TEXTS.after}
        </Banner>
      )}
      <OwnEventsBeforeSignIn key={user.user_id} userId={user.user_id} />
      {left !== null && user.factor_state === 'set' && (
        <Banner tone="warning" icon={<ShieldAlert size={16} />} action={toAccount(TEXTS.makeNew)}>
          <b>{TEXTS.fewCodes(left)}</b>
        </Banner>
      )}
    </>
  );
}
