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

/** Frame around every page after the sign-in. */
export const FRAME = part(() => import('../frame/app-frame.tsx'));
