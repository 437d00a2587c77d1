/** Lets the code of local copies load only if needed. */
import { COPIES_DATABASE } from '@passwordbroker/client/browser/copies-database';

const KEPT = 'passwordbroker.offline';

/** Checks a flag in localStorage, or the database without it. Never throws. */
export async function mayHaveCopies(): Promise<boolean> {
  if (isWordKept()) return true;
  try {
    return (await indexedDB.databases()).some(({ name }) => name === COPIES_DATABASE);
  } catch {
    return false;
  }
}

export function isWordKept(): boolean {
  try {
    return localStorage.getItem(KEPT) !== null;
  } catch {
    return false;
  }
}

export function setHasCopies(has: boolean): void {
  try {
    if (has) localStorage.setItem(KEPT, '1');
    else localStorage.removeItem(KEPT);
  } catch {
    // Without storage the database is checked.
  }
}
