/**
 * The path to return to after signing in, in sessionStorage: a reload during a redirect loses the history
 * state.
 */
const KEPT = 'passwordbroker.way-back';

export const pendingNavigation = {
  keep(path: string): void {
    try {
      sessionStorage.setItem(KEPT, path);
    } catch {
      // Without storage, only the history state has the path.
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
      // Without storage, there is nothing to remove.
    }
  },
};
