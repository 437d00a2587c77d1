/** While somebody types his password the pages behind the sign-in are fetched: he waits for the server's word alone afterwards. */
let isBegun = false;

export function fetchVaultAhead(): void {
  if (isBegun) return;
  isBegun = true;
  requestIdleCallback(() => {
    // What does not arrive now is asked for again, and complained about, when it is needed.
    fetchFrame().catch(() => undefined);
    import('../entry-groups/prompt-page.tsx').catch(() => undefined);
  });
}

/**
 * What stands around every page behind the sign-in. What it is built upon is asked for by itself as well, the contract and then the vault: each is made ready by itself as soon
 * as it is there, so that the page answers in between.
 */
export function fetchFrame() {
  import('@passwordbroker/core/contract/entries').catch(() => undefined);
  import('../vault/use-vault.ts').catch(() => undefined);
  return import('../frame/app-frame.tsx');
}
