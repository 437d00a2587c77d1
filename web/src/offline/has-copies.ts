/** Whether this browser may have local copies, so that their code loads only if needed. */
import { COPIES_DATABASE } from '@passwordbroker/client/browser/copies-database';

const KEPT = 'passwordbroker.offline';

/** Checks a flag in localStorage, or the database if the flag is missing. Never throws. */
export async function mayHaveCopies(): Promise<boolean> {
  if (isWordKept()) return true;
  try {
    return (await indexedDB.databases()).some(({ name }) => name === COPIES_DATABASE);
  } catch {
    return false;
  }
}

/** The flag alone, synchronously. */
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
