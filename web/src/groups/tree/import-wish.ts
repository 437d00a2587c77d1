/** A page opens the import, whose dialog is the side panel's: an import leads to the page of its tree, and its summary outlives the one where it began. */
const listeners = new Set<() => void>();

export const importWish = {
  tell: (): void => {
    for (const listener of listeners) listener();
  },
  /** @returns how it ends */
  listen: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
