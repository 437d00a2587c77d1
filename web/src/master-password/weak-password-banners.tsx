/** Asks to change passwords below the site's policy; blocks nothing. */
import { KeyRound } from 'lucide-react';
import { Suspense, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { lazyPart } from '../lib/chunk.ts';
import { useSession } from '../session/use-session.ts';
import { WEAK_PASSWORD_TEXTS as TEXTS } from '../texts/identity/account.ts';
import { Banner } from '@passwordbroker/ui/feedback/banner';
import { Button } from '@passwordbroker/ui/actions/button';
import { weakMasterPassword } from './weak-master-password.ts';

const ChangeDialog = lazyPart('ChangeDialog', () => import('./change-dialog.tsx'));

export function WeakPasswordBanners() {
  const { user, hasWeakPassword } = useSession();
  const isMasterWeak = useSyncExternalStore(weakMasterPassword.subscribe, weakMasterPassword.owner) === user?.user_id;
  const navigate = useNavigate();
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      {hasWeakPassword === true && (
        <Banner
          tone="warning"
          icon={<KeyRound size={16} />}
          action={
            <Button size="sm" onPress={() => void navigate('/account')}>
              {TEXTS.changePassword}
            </Button>
          }
        >
          <b>{TEXTS.password}</b> {TEXTS.why}
        </Banner>
      )}
      {isMasterWeak && (
        <Banner
          tone="warning"
          icon={<KeyRound size={16} />}
          action={
            <Button size="sm" onPress={() => setChanging(true)}>
              {TEXTS.changeMasterPassword}
            </Button>
          }
        >
          <b>{TEXTS.masterPassword}</b> {TEXTS.why}
        </Banner>
      )}
      {isChanging && (
        <Suspense fallback={null}>
          <ChangeDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </>
  );
}
