/** Whether any local copy may be kept in this browser, so that nobody else loads the code for them. */
import { COPIES_DATABASE } from '@passwordbroker/client/browser/copies-database';

const KEPT = 'passwordbroker.offline';

/** The word for it in plain storage is quick; where it was lost, the database itself says so. Never throws. */
export async function mayHaveCopies(): Promise<boolean> {
  if (isWordKept()) return true;
  try {
    return (await indexedDB.databases()).some(({ name }) => name === COPIES_DATABASE);
  } catch {
    return false;
  }
}

/** The word for it alone, at once. */
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
    // The database says it.
  }
}
