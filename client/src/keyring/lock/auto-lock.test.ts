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
  test('locks after ten idle minutes, not before', () => {
    const { seen } = watched();
    vi.advanceTimersByTime(10 * MINUTE - 1);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['lock']);
  });

  test('a shorter limit applies at once, also to an open vault', () => {
    let minutes = 60;
    const { seen } = watched(() => minutes * MINUTE);
    vi.advanceTimersByTime(20 * MINUTE);
    expect(seen).toEqual([]);
    minutes = 5;
    vi.advanceTimersByTime(15_000);
    expect(seen).toEqual(['lock']);
  });

  test('the idle time starts at the last activity', () => {
    const { autoLock, seen } = watched();
    vi.advanceTimersByTime(9 * MINUTE);
    autoLock.activity();
    vi.advanceTimersByTime(9 * MINUTE);
    expect(seen).toEqual(['tell']);
    vi.advanceTimersByTime(MINUTE);
    expect(seen).toEqual(['tell', 'lock']);
  });

  test('activity in another tab keeps this tab unlocked', () => {
    const { autoLock, seen } = watched();
    vi.advanceTimersByTime(9 * MINUTE);
    autoLock.activityElsewhere();
    vi.advanceTimersByTime(9 * MINUTE);
    expect(seen).toEqual([]);
  });

  test('after sleep it locks at the next event, before the key press counts as activity', () => {
    const { autoLock, seen } = watched();
    vi.setSystemTime(Date.now() + 5 * MINUTE);
    autoLock.activity();
    expect(seen).toEqual(['lock']);
  });

  test('after sleep it locks as soon as the page becomes visible, without a key press', () => {
    const { autoLock, seen } = watched();
    vi.setSystemTime(Date.now() + 5 * MINUTE);
    autoLock.look();
    expect(seen).toEqual(['lock']);
    autoLock.look();
    expect(seen).toEqual(['lock']);
  });

  test('making the page visible is no activity and does not lock early', () => {
    const { autoLock, seen } = watched();
    vi.advanceTimersByTime(9 * MINUTE);
    autoLock.look();
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(MINUTE);
    expect(seen).toEqual(['lock']);
  });

  test('a hidden tab with throttled timers does not count as asleep', () => {
    const { seen } = watched();
    vi.setSystemTime(Date.now() + MINUTE);
    vi.advanceTimersByTime(15_000);
    expect(seen).toEqual([]);
  });

  test('frequent activity is reported to the other tabs only every ten seconds', () => {
    const { autoLock, seen } = watched();
    for (let second = 0; second < 60; second += 1) {
      vi.advanceTimersByTime(1000);
      autoLock.activity();
    }
    expect(seen.length).toBe(6);
  });
});
