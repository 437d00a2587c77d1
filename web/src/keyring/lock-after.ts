/**
 * After how many idle minutes the vault locks (threats-and-tests §3.1.38): what somebody chose for this browser, and never more than
 * the site admits, as it was last heard. No secrets: both lie in the browser's storage, where other tabs read them too.
 */
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { PlainStore } from '../session/servers.ts';

const CHOSEN = 'passwordbroker.lock-minutes';
const MOST = 'passwordbroker.most-lock-minutes';
const DEFAULT_MINUTES = 10;

export type LockAfter = ReturnType<typeof createLockAfter>;

export function createLockAfter(store: () => PlainStore) {
  const listeners = new Set<() => void>();
  /** What the storage refused lives as long as the page. */
  const held = new Map<string, number>();

  const read = (name: string, otherwise: number) => {
    const minutes = held.get(name) ?? Number(kept(name));
    return Number.isInteger(minutes) && minutes >= 1 && minutes <= LIMITS.lockMinutes ? minutes : otherwise;
  };
  const kept = (name: string) => {
    try {
      return store().getItem(name);
    } catch {
      // Storage may be forbidden: the default holds.
      return null;
    }
  };
  const write = (name: string, minutes: number): boolean => {
    let isKept = true;
    try {
      store().setItem(name, String(minutes));
      held.delete(name);
    } catch {
      held.set(name, minutes);
      isKept = false;
    }
    for (const listener of listeners) listener();
    return isKept;
  };
  const most = () => read(MOST, LIMITS.lockMinutes);
  const minutes = () => Math.min(read(CHOSEN, DEFAULT_MINUTES), most());

  return {
    minutes,
    most,
    idleMs: () => minutes() * 60_000,
    /** @returns whether the browser keeps it beyond this page */
    choose: (chosen: number) => write(CHOSEN, chosen),
    /** What the site admits at most, as the server said. */
    learn: (admitted: number) => {
      if (admitted !== most()) write(MOST, admitted);
    },
    /** @returns how to stop listening */
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** That of this browser. */
export const lockAfter: LockAfter = createLockAfter(() => localStorage);
