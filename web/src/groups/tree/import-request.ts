/**
 * Lets a page open the import dialog. The side panel holds the dialog, so it stays open when the
 * import navigates to the new tree.
 */
const listeners = new Set<() => void>();

export const importRequest = {
  tell: (): void => {
    for (const listener of listeners) listener();
  },
  /** @returns unsubscribes */
  listen: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
