/** The composition root of the sign-in page. The rest loads later, with `vault.ts`. */
import { createSignInPart, type SignInPart } from '@passwordbroker/client/sign-in-part';
import { loadChunk } from '../lib/chunk.ts';
import { openTabs } from '@passwordbroker/client/browser/keyring/open-tabs';
import { exchange } from '@passwordbroker/client/transport/exchange';
import type { SignInPlatform } from '@passwordbroker/client/platform';
import { mayHaveCopies } from '../offline/has-copies.ts';

const plain = () => localStorage;

export const signInPlatform: SignInPlatform = {
  face: 'web',
  // Tests without a document import this too.
  origin: typeof location === 'undefined' ? '' : location.origin,
  cookies: { read: () => document.cookie, write: (cookie) => (document.cookie = cookie) },
  async exchange(outgoing) {
    if (outgoing.onSent === undefined) return exchange(outgoing);
    const { exchangeByXhr } = await loadChunk(
      'upload',
      () => import('@passwordbroker/client/browser/exchange-with-progress'),
    );
    return exchangeByXhr(outgoing);
  },
  plain,
  async openTokens() {
    const { openTokenRecords } = await loadChunk(
      'token-records',
      () => import('@passwordbroker/client/browser/token-records'),
    );
    return openTokenRecords(plain);
  },
  copies: { mayHave: mayHaveCopies },
  tabs: openTabs(),
  load: loadChunk,
};

const loadVault = () => loadChunk('vault', () => import('./vault.ts'));

export const signInPart = createSignInPart(signInPlatform, {
  keyring: async () => (await loadVault()).keyring,
  offline: async () => (await loadVault()).offline,
});
export const { serverClock, servers, session } = signInPart;
export const http: SignInPart['http'] = signInPart.http;

/** For a master password from a form of its own. If it fails, the vault stays locked and the next action asks. */
export async function unlock(typed: string): Promise<void> {
  try {
    await (await loadVault()).masterPassword.enter(typed);
  } catch {
    // The person sees the closed lock.
  }
}
