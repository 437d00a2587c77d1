/** Idle minutes until the vault locks: this browser's choice, at most the site's limit. */
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { keptChoice } from '../../kept-choice.ts';
import type { PlainStore } from '../../plain-store.ts';

const DEFAULT_MINUTES = 10;

export type LockAfter = ReturnType<typeof createLockAfter>;

export function createLockAfter(store: () => PlainStore) {
  const chosen = keptChoice('passwordbroker.lock-minutes', DEFAULT_MINUTES, minutesOf, store);
  const site = keptChoice('passwordbroker.most-lock-minutes', LIMITS.lockMinutes, minutesOf, store);
  const minutes = () => Math.min(chosen.get(), site.get());

  return {
    minutes,
    most: site.get,
    idleMs: () => minutes() * 60_000,
    /** @returns whether the choice is stored */
    choose: chosen.set,
    /** Remembers the site's limit for offline use. */
    learn: (allowed: number) => {
      if (allowed !== site.get()) site.set(allowed);
    },
    /** @returns unsubscribe */
    onChange: (listener: () => void) => {
      const stops = [chosen.onChange(listener), site.onChange(listener)];
      return () => stops.forEach((stop) => stop());
    },
  };
}

function minutesOf(text: string): number | null {
  const minutes = Number(text);
  return Number.isInteger(minutes) && minutes >= 1 && minutes <= LIMITS.lockMinutes ? minutes : null;
}
