/**
 * Locks the vault after idle minutes and after sleep (docs/spec/threats.md §3.1.38, W6). Activity in any tab
 * keeps all tabs open.
 */

const TICK_MS = 15_000;
/**
 * A longer gap between ticks means sleep: browsers throttle timers of hidden tabs to one a minute at most.
 */
const SLEEP_GAP_MS = 150_000;
const TELL_OTHERS_MS = 10_000;

export interface AutoLockOptions {
  readonly lock: () => void;
  /** Reports activity to the other tabs. */
  readonly tellOthers: () => void;
  readonly now?: () => number;
  /** Milliseconds; may change while the vault is open. */
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
    /** Locks now if the time is over, not at the next tick. */
    look: () => {
      if (timer !== undefined) tick();
    },
    activityElsewhere: () => {
      lastActivity = now();
    },
  };
}
