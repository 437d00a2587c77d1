/**
 * Locks after idle minutes and after sleep (docs/spec/threats.md §3.1.38, W6). Activity in any tab keeps all
 * tabs open.
 */
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { keptChoice } from '../../kept-choice.ts';
import type { PlainStore } from '../../platform.ts';

const TICK_MS = 15_000;
/** A longer gap means sleep: hidden tabs have one tick a minute at least. */
const SLEEP_GAP_MS = 150_000;
const TELL_OTHERS_MS = 10_000;

interface AutoLockOptions {
  readonly lock: () => void;
  readonly tellOthers: () => void;
  readonly now?: () => number;
  /** May change while the vault is open. */
  readonly idleMs: () => number;
}

export function createAutoLock({ lock, tellOthers, now = Date.now, idleMs }: AutoLockOptions) {
  let timer: ReturnType<typeof setInterval> | undefined;
  let lastActivity = 0;
  let lastTick = 0;
  let lastTold = 0;

  const tick = () => {
    const at = now();
    const gap = at - lastTick;
    lastTick = at;
    const isOver = gap > SLEEP_GAP_MS || at - lastActivity >= idleMs();
    if (isOver) lock();
    return isOver;
  };

  return {
    start() {
      lastActivity = lastTick = lastTold = now();
      clearInterval(timer);
      timer = setInterval(tick, Math.min(TICK_MS, idleMs()));
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
    /** The first activity after sleep does not count: it locks. */
    activity: () => {
      if (timer === undefined || tick()) return;
      lastActivity = now();
      if (lastActivity - lastTold < TELL_OTHERS_MS) return;
      lastTold = lastActivity;
      tellOthers();
    },
    look: () => {
      if (timer !== undefined) tick();
    },
    activityElsewhere: () => {
      lastActivity = now();
    },
  };
}

const DEFAULT_MINUTES = 10;

export type LockAfter = ReturnType<typeof createLockAfter>;

/** This browser's choice, at most the site's limit. */
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
    /** For offline use. */
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
