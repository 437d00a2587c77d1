/**
 * When the vault locks by itself: after so many idle minutes, and after the machine has slept (docs/spec/threats.md §3.1.38, W6). Idle is
 * measured over all tabs: who works in one tab is not locked out by another.
 */

const TICK_MS = 15_000;
/** A gap beyond this between two ticks means sleep: browsers slow timers of hidden tabs to one a minute, never more. */
const SLEEP_GAP_MS = 150_000;
const TELL_OTHERS_MS = 10_000;

export interface AutoLockOptions {
  readonly lock: () => void;
  /** Tells the other tabs that somebody is here. */
  readonly tellOthers: () => void;
  readonly now?: () => number;
  /** Asked anew each time: it may change while the vault is open. Milliseconds. */
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
    /** A key, a pointer, a touch. The first one after a sleep does not count: it locks. */
    activity: () => {
      if (timer === undefined || tick()) return;
      lastActivity = now();
      if (lastActivity - lastTold < TELL_OTHERS_MS) return;
      lastTold = lastActivity;
      tellOthers();
    },
    /** The page is looked at again: what is over ends now, not at the next tick. */
    look: () => {
      if (timer !== undefined) tick();
    },
    /** Somebody is active in another tab. */
    activityElsewhere: () => {
      lastActivity = now();
    },
  };
}
