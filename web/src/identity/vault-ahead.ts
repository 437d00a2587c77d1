/** While somebody types his password the pages behind the sign-in are fetched: he waits for the server's word alone afterwards. */
let isBegun = false;

export function fetchVaultAhead(): void {
  if (isBegun) return;
  isBegun = true;
  requestIdleCallback(() => {
    // What does not arrive now is asked for again, and complained about, when it is needed.
    import('../frame/app-frame.tsx').catch(() => undefined);
    import('../entry-groups/prompt-page.tsx').catch(() => undefined);
  });
}
