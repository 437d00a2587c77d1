/** Lets a page open the import dialog of the side panel, which stays open when the import navigates. */
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
