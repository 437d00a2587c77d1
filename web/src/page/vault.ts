/**
 * The part of the composition root that loads after sign-in, or before it where keys or local copies are needed: keyring, local copy,
 * vault.
 */
import { activityLog } from '../activity-log/activity-log.ts';
import { createKeyring, type Keyring } from '@passwordbroker/client/keyring/keyring';
import { createLockAfter } from '@passwordbroker/client/keyring/lock-after';
import { watchPresence } from './presence.ts';
import { loadChunk } from '../lib/chunk.ts';
import { forgetWithSession } from '@passwordbroker/client/master-password/forget-with-session';
import { createMasterPassword, type MasterPassword } from '@passwordbroker/client/master-password/master-password';
import { weakMasterPassword } from '../master-password/weak-master-password.ts';
import { mayHaveCopies, setHasCopies } from '../offline/has-copies.ts';
import { createOffline, type Offline } from '@passwordbroker/client/offline/offline';
import { createFreshSignIn } from '@passwordbroker/client/session/fresh-sign-in';
import { ROTATION_TEXTS } from '../texts/rotation.ts';
import { createTrustQuestions } from '../trust/questions/trust-questions.ts';
import { keepLockLimit } from '@passwordbroker/client/vault/lock-limit';
import { onlineVault } from '@passwordbroker/client/vault/online';
import { createQueries } from '../vault/queries.ts';
import type { UpkeepNotice } from '@passwordbroker/client/vault/upkeep';
import type { Vault } from '@passwordbroker/client/vault/vault';
import { startKeyringWorker } from '../workers/page-workers.ts';
import { http, lateKeyring, session, tabs } from './page.ts';

/** Idle minutes until the vault locks. */
export const lockAfter = createLockAfter(() => localStorage);

export const keyring: Keyring = createKeyring({
  http,
  startWorker: startKeyringWorker,
  tabs,
  watchPresence,
  idleMs: lockAfter.idleMs,
  load: loadChunk,
});
lateKeyring.attach(keyring);
keepLockLimit({ http, keyring, lockAfter });

export const freshSignIn = createFreshSignIn();
session.subscribe(() => {
  if (session.view().user === null) freshSignIn.cancel();
});

export const trustQuestions = createTrustQuestions();
forgetWithSession({ forget: trustQuestions.cancel }, session);

export const masterPassword: MasterPassword = createMasterPassword(keyring, {
  onEntered: (entered) => void weakMasterPassword.judge(entered),
  ask: trustQuestions.ask,
});
forgetWithSession(masterPassword, session);

/** On the server. */
export const vault: Vault = onlineVault(http, keyring, { onKeptUp: tellKeptUp });

export const offline: Offline = createOffline({
  session,
  mayHaveCopies,
  startEngine: async (shown) =>
    (await loadChunk('offline-engine', () => import('./offline-engine.ts'))).startEngine({ ...shown, setHasCopies }),
});

export const queries = createQueries({ session, offline, keyring });

function tellKeptUp({ rotated, failed }: UpkeepNotice): void {
  if (rotated > 0) activityLog.add(ROTATION_TEXTS.keptUp(rotated));
  if (failed > 0) activityLog.add(ROTATION_TEXTS.notKeptUp(failed), { isFailure: true });
}
