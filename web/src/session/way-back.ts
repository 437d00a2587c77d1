/**
 * Where somebody wanted to go before it was known who he is. The state of the history says it, too, and is lost where a page is loaded
 * anew in the moment in which he is led back: the address is the old one then, and the state that of the new. Ends with the tab.
 */
const KEPT = 'passwordbroker.way-back';

export const wayBack = {
  keep(path: string): void {
    try {
      sessionStorage.setItem(KEPT, path);
    } catch {
      // A browser that keeps nothing: the state of the history alone says it.
    }
  },
  read(): string | null {
    try {
      return sessionStorage.getItem(KEPT);
    } catch {
      return null;
    }
  },
  forget(): void {
    try {
      sessionStorage.removeItem(KEPT);
    } catch {
      // Then nothing was kept.
    }
  },
};
