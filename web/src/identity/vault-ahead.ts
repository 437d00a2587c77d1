import { PROMPT_PAGE } from '../frame/page-code.ts';
import { part } from '../lib/part.ts';

/** While somebody types his password the pages behind the sign-in are fetched: he waits for the server's word alone afterwards. */
let isBegun = false;

export function fetchVaultAhead(): void {
  if (isBegun) return;
  isBegun = true;
  requestIdleCallback(() => {
    // What does not arrive now is asked for again, and complained about, when it is needed.
    FRAME.load().catch(() => undefined);
    PROMPT_PAGE.load().catch(() => undefined);
  });
}

/**
 * What stands around every page behind the sign-in. What it is built upon is asked for by itself as well, the contract, the keys, and then the vault: each file of the build
 * (`build-layers.ts`) is made ready by itself as soon as it is there, so that the page answers in between.
 */
export const FRAME = part(() => {
  import('@passwordbroker/core/contract/entries').catch(() => undefined);
  import('../keyring/keyring.ts').catch(() => undefined);
  import('../vault/use-vault.ts').catch(() => undefined);
  return import('../frame/app-frame.tsx');
});
