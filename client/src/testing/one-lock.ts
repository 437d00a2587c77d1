/** A lock that any password opens. */
import type { Lock } from '../master-password/master-password.ts';

export function oneLock(isOpenAtFirst = true): Lock {
  let isOpen = isOpenAtFirst;
  const listeners = new Set<() => void>();
  return {
    isOpen: () => isOpen,
    unlock: () => {
      isOpen = true;
      return Promise.resolve();
    },
    lock: () => {
      isOpen = false;
      for (const listener of listeners) listener();
    },
    onLocked: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
