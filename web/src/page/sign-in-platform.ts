import { exchangeWithProgress } from '@passwordbroker/client/browser/exchange-with-progress';
import { openTabs } from '@passwordbroker/client/browser/keyring/open-tabs';
import type { SignInPlatform } from '@passwordbroker/client/platform';
import { loadChunk } from '../lib/chunk.ts';
import { mayHaveCopies } from '../offline/has-copies.ts';

const plain = () => localStorage;

export const signInPlatform: SignInPlatform = {
  // Tests without a document import this too.
  origin: typeof location === 'undefined' ? '' : location.origin,
  cookies: { read: () => document.cookie, write: (cookie) => (document.cookie = cookie) },
  exchange: exchangeWithProgress,
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
