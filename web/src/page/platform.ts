import type { Platform, Presence } from '@passwordbroker/client/platform';
import { loadChunk } from '../lib/chunk.ts';
import { mayHaveCopies, setHasCopies } from '../offline/has-copies.ts';
import { startKeyringWorker } from '../workers/page-workers.ts';
import { signInPlatform } from './page.ts';

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
