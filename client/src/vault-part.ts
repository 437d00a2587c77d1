/** The part of a client that needs keys. A page loads it after sign-in. */
import { createKeyring, type Keyring } from './keyring/keyring.ts';
import { createLockAfter, type LockAfter } from './keyring/lock/auto-lock.ts';
import {
  forgetWithSession,
  createMasterPassword,
  type MasterPassword,
  type MasterPasswordHooks,
} from './master-password/master-password.ts';
import { createOffline } from './offline/create-offline.ts';
import type { Offline } from './offline/offline.ts';
import { PACES } from './offline/parts/parts.ts';
import type { Platform } from './platform.ts';
import { clientId } from './session/client-id.ts';
import type { SignInPart } from './sign-in-part.ts';
import { createDesk, type PersonalDesk } from './vault/desk.ts';
import { onlineVault } from './vault/online.ts';
import type { UpkeepNotice } from './vault/upkeep.ts';
import type { Vault } from './vault/vault.ts';
import { limits } from '@passwordbroker/core/contract/site/site';
import type { Http } from './transport/http.ts';

export interface VaultPart {
  readonly lockAfter: LockAfter;
  readonly keyring: Keyring;
  readonly masterPassword: MasterPassword;
  readonly vault: Vault;
  readonly offline: Offline;
  readonly desk: PersonalDesk;
}

export interface VaultHooks extends MasterPasswordHooks {
  /** Called after group keys were rotated in the background. */
  readonly onKeptUp?: (notice: UpkeepNotice) => void;
}

export function createVaultPart(platform: Platform, signIn: SignInPart, hooks: VaultHooks = {}): VaultPart {
  const { copies, exclusive, load, origin, plain, startKeyring, tabs, watchPresence } = platform;
  const { http, lateKeyring, servers, session } = signIn;
  const { onKeptUp } = hooks;
  const lockAfter = createLockAfter(plain);
  const keyring = createKeyring({
    http,
    startWorker: startKeyring,
    tabs,
    watchPresence,
    idleMs: lockAfter.idleMs,
    load,
  });
  lateKeyring.attach(keyring);
  keepLockLimit({ http, keyring, lockAfter });

  const masterPassword = createMasterPassword(keyring, hooks);
  forgetWithSession(masterPassword, session);

  const offline = createOffline({
    session,
    mayHaveCopies: async () => copies !== null && copies.mayHave(),
    async startEngine(shown) {
      if (copies === null) throw new Error('This client keeps no local copies');
      const [{ createOfflineEngine }, store] = await Promise.all([
        load('offline-engine', () => import('./offline/engine.ts')),
        copies.openStore(),
      ]);
      return createOfflineEngine({
        http,
        keyring,
        session,
        servers,
        store,
        origin,
        clientId: () => clientId(plain),
        exclusive,
        tabs,
        isLasting: (ask) => copies.isLasting(ask),
        paces: PACES,
        setHasCopies: (has) => copies.setHas(has),
        ...shown,
      });
    },
  });
  return {
    lockAfter,
    keyring,
    masterPassword,
    vault: onlineVault(http, keyring, onKeptUp === undefined ? {} : { onKeptUp }),
    offline,
    desk: createDesk(http, keyring),
  };
}

interface Parts {
  readonly http: Http;
  readonly keyring: Keyring;
  readonly lockAfter: Pick<LockAfter, 'learn'>;
}

/** Learns the site's lock limit at each opening online. @returns a function that stops it */
export function keepLockLimit({ http, keyring, lockAfter }: Parts): () => void {
  return keyring.onOpened((bundle) => {
    if (bundle === null) return;
    http.call(limits).then(
      ({ lock_minutes }) => lockAfter.learn(lock_minutes),
      // Keeps the last known limit; the next opening asks again.
      () => undefined,
    );
  });
}
