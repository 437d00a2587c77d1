/**
 * Requires new keys for an account that somebody else created (docs/spec/decisions.md K7) or after a reset
 * (K6).
 */
import { Suspense, useSyncExternalStore, useState } from 'react';
import { lazyPart } from '../lib/chunk.ts';
import { useSession } from '../session/use-session.ts';
import { NEW_KEYS_TEXTS as TEXTS } from '@passwordbroker/client/texts/new-keys';
import { makeFirstKeys, makeOwnKeys, type MakingStep } from '@passwordbroker/client/master-password/make-own-keys';
import { takenInviter } from '../sso/taken-inviter.ts';
import { useMasterPassword } from './use-master-password.ts';
import { freshSignIn, keyring } from '../page/vault.ts';
import { http, session } from '../page/page.ts';

const NewKeysDialog = lazyPart('NewKeysDialog', () => import('./new-keys-dialog.tsx'));

export function OwnKeysGate() {
  const { user } = useSession();
  const masterPassword = useMasterPassword();
  const isOpen = useSyncExternalStore(masterPassword.subscribe, masterPassword.isRemembered);
  const [isPutOff, setPutOff] = useState(false);
  if (user === null) return null;
  const means = { http, keyring, masterPassword };
  const isNeeded = user.has_keys ? user.must_rekey && isOpen : !isPutOff;
  if (!isNeeded) return null;
  const make = async (newMasterPassword: string, onStep: (step: MakingStep) => void) => {
    if (user.has_keys) await makeOwnKeys(means, newMasterPassword, onStep);
    else {
      const inviter = takenInviter.readFor(user.email);
      await freshSignIn.run(() => makeFirstKeys(means, newMasterPassword, onStep, inviter));
      takenInviter.forget();
    }
    session.know({ ...user, has_keys: true, must_rekey: false, mp_exposed_at: null });
  };
  return (
    <Suspense fallback={null}>
      <NewKeysDialog
        reason={user.has_keys ? TEXTS.rekey : TEXTS.first}
        make={make}
        onLater={() => {
          masterPassword.lock();
          setPutOff(true);
        }}
      />
    </Suspense>
  );
}
