/** Whether any local copy is kept in this browser: a word in plain storage, so that nobody else loads the code for them. */

const KEPT = 'passwordbroker.offline';

export function hasCopies(): boolean {
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
    // Nothing is kept: then there is no copy either.
  }
}
