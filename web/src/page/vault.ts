/** The composition root of what loads after sign-in, or where keys or local copies are needed. */
import { forgetWithSession } from '@passwordbroker/client/master-password/master-password';
import { createFreshSignIn } from '@passwordbroker/client/session/fresh-sign-in';
import type { UpkeepNotice } from '@passwordbroker/client/vault/upkeep';
import { createVaultPart } from '@passwordbroker/client/vault-part';
import { activityLog } from '../activity-log/activity-log.ts';
import { createDrafts } from '../drafts/drafts.ts';
import { weakMasterPassword } from '../master-password/weak-master-password.ts';
import { ROTATION_TEXTS } from '../texts/groups/trust.ts';
import { createKitOffer } from '../recovery-kit/kit-offer.ts';
import { createTrustQuestions } from '../trust/questions/trust-questions.ts';
import { session, signInPart, signInPlatform } from './page.ts';
import { QueryClient } from '@tanstack/react-query';
import type { Keyring } from '@passwordbroker/client/keyring/keyring';
import type { Offline } from '@passwordbroker/client/offline/offline';
import type { Session } from '@passwordbroker/client/session/session';
import { closeToasts, openToasts } from '@passwordbroker/ui/feedback/toast';
import type { Platform, Presence } from '@passwordbroker/client/platform';
import { loadChunk } from '../lib/chunk.ts';
import { mayHaveCopies, setHasCopies } from '../offline/has-copies.ts';
import { startKeyringWorker } from '../workers/page-workers.ts';

export const platform: Platform = {
  ...signInPlatform,
  copies: {
    mayHave: mayHaveCopies,
    setHas: setHasCopies,
    async openStore() {
      const { openCopyStore } = await loadChunk(
        'copy-store',
        () => import('@passwordbroker/client/browser/keyring/idb-copy-store'),
      );
      return openCopyStore();
    },
    isLasting,
  },
  startKeyring: startKeyringWorker,
  watchPresence,
  exclusive,
};

async function isLasting(ask: boolean): Promise<boolean | null> {
  try {
    const { storage } = navigator;
    return (await storage.persisted()) || (ask && (await storage.persist()));
  } catch {
    return null;
  }
}

/** All tabs use the same lock name. Without the Web Locks API the store detects conflicts. */
async function exclusive<T>(name: string, work: () => Promise<T>): Promise<T | null> {
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(`passwordbroker ${name}`, { ifAvailable: true }, (lock) =>
    lock === null ? Promise.resolve(null) : work(),
  ) as Promise<T | null>;
}

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const OFTEN_ENOUGH_MS = 1000;

export function watchPresence({ onActivity, onReturn }: Presence): void {
  if (typeof window === 'undefined') return;
  let last = -OFTEN_ENOUGH_MS;
  const seen = (event: Event) => {
    if (event.timeStamp - last < OFTEN_ENOUGH_MS) return;
    last = event.timeStamp;
    onActivity();
  };
  for (const sign of SIGNS) window.addEventListener(sign, seen, { capture: true, passive: true });
  window.addEventListener('focus', onReturn);
  window.addEventListener('pageshow', onReturn);
  document.addEventListener('resume', onReturn);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') onReturn();
  });
}

export const freshSignIn = createFreshSignIn();
session.subscribe(() => {
  if (session.view().user === null) freshSignIn.cancel();
});

export const trustQuestions = createTrustQuestions();
forgetWithSession({ forget: trustQuestions.cancel }, session);

export const { desk, keyring, lockAfter, masterPassword, offline, vault } = createVaultPart(platform, signInPart, {
  onEntered: (entered) => void weakMasterPassword.judge(entered),
  ask: trustQuestions.ask,
  onKeptUp: tellKeptUp,
});

export const kitOffer = createKitOffer({ http: signInPart.http, keyring, session });

export const drafts = createDrafts(keyring, session);

export const queries = createQueries({ session, offline, keyring });

function tellKeptUp({ rotated, failed }: UpkeepNotice): void {
  if (rotated > 0) activityLog.add(ROTATION_TEXTS.keptUp(rotated));
  if (failed > 0) activityLog.add(ROTATION_TEXTS.notKeptUp(failed), { isFailure: true });
}

interface Parts {
  readonly session: Pick<Session, 'view' | 'subscribe'>;
  readonly offline: Pick<Offline, 'vault' | 'subscribe'>;
  readonly keyring: Pick<Keyring, 'onOpened'>;
}

/** Reads without secrets. Cleared when the person changes. */
export function createQueries({ session, offline, keyring }: Parts): QueryClient {
  const queries = new QueryClient({
    // A browser that calls itself offline may have a local copy.
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, staleTime: 30_000, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });

  session.subscribe(() => {
    if (session.view().user === null) {
      queries.clear();
      activityLog.close();
      closeToasts();
    } else {
      activityLog.open();
      openToasts();
    }
  });

  /** After a switch between server and local copy, once the page uses the other vault. */
  const readAnew = () => setTimeout(() => void queries.invalidateQueries());
  let isFromCopy = offline.vault() !== null;
  offline.subscribe(() => {
    if (isFromCopy === (offline.vault() !== null)) return;
    isFromCopy = !isFromCopy;
    readAnew();
  });
  // Requests to the worker fail while the vault is locked.
  keyring.onOpened(() => {
    if (isFromCopy) readAnew();
  });
  return queries;
}
