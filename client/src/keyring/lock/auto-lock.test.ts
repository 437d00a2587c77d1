import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAutoLock } from './auto-lock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 1) });
});
afterEach(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;

function watched(idleMs = () => 10 * MINUTE) {
  const seen: string[] = [];
  const autoLock = createAutoLock({
    lock: () => {
      seen.push('lock');
      autoLock.stop();
    },
    tellOthers: () => seen.push('tell'),
    idleMs,
  });
  autoLock.start();
  return { autoLock, seen };
}

describe('auto-lock', () => {
  test('after ten idle minutes, not before', () => {
    const { seen } = watched();
    vi.advanceTimersByTime(10 * MINUTE - 1);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['lock']);
  });

  test('fewer minutes hold at once, also for a vault that is open', () => {
    let minutes = 60;
    const { seen } = watched(() => minutes * MINUTE);
    vi.advanceTimersByTime(20 * MINUTE);
    expect(seen).toEqual([]);
    minutes = 5;
    vi.advanceTimersByTime(15_000);
    expect(seen).toEqual(['lock']);
  });

  test('counts from the last sign of life', () => {
    const { autoLock, seen } = watched();
    vi.advanceTimersByTime(9 * MINUTE);
    autoLock.activity();
    vi.advanceTimersByTime(9 * MINUTE);
    expect(seen).toEqual(['tell']);
    vi.advanceTimersByTime(MINUTE);
    expect(seen).toEqual(['tell', 'lock']);
  });

  test('who works in another tab is not locked out', () => {
    const { autoLock, seen } = watched();
    vi.advanceTimersByTime(9 * MINUTE);
    autoLock.activityElsewhere();
    vi.advanceTimersByTime(9 * MINUTE);
    expect(seen).toEqual([]);
  });

  test('after sleep, at the next tick, and before the key that woke it counts', () => {
    const { autoLock, seen } = watched();
    vi.setSystemTime(Date.now() + 5 * MINUTE);
    autoLock.activity();
    expect(seen).toEqual(['lock']);
  });

  test('after sleep, as soon as the page is looked at, without a key', () => {
    const { autoLock, seen } = watched();
    vi.setSystemTime(Date.now() + 5 * MINUTE);
    autoLock.look();
    expect(seen).toEqual(['lock']);
    autoLock.look();
    expect(seen).toEqual(['lock']);
  });

  test('looking at the page is no sign of life, and locks nothing early', () => {
    const { autoLock, seen } = watched();
    vi.advanceTimersByTime(9 * MINUTE);
    autoLock.look();
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(MINUTE);
    expect(seen).toEqual(['lock']);
  });

  test('a hidden tab with slow timers is not asleep', () => {
    const { seen } = watched();
    vi.setSystemTime(Date.now() + MINUTE);
    vi.advanceTimersByTime(15_000);
    expect(seen).toEqual([]);
  });

  test('many signs of life tell the other tabs seldom', () => {
    const { autoLock, seen } = watched();
    for (let second = 0; second < 60; second += 1) {
      vi.advanceTimersByTime(1000);
      autoLock.activity();
    }
    expect(seen.length).toBe(6);
  });
});
