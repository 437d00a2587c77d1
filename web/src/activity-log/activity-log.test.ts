import { describe, expect, test } from 'vitest';
import { ACTIVITY_LOG_LENGTH, clockTime, createActivityLog } from './activity-log.ts';

describe('activity log', () => {
  test('lists the newest first, at most 21 (docs/spec/product.md §3, §9)', () => {
    let now = 1000;
    const log = createActivityLog(() => now);
    for (let i = 1; i <= 30; i += 1) {
      now = i * 1000;
      log.add(`Notice ${i}`);
    }
    expect(log.list()).toHaveLength(ACTIVITY_LOG_LENGTH);
    expect(log.list()[0]).toMatchObject({ body: 'Notice 30', at: 30_000, isFailure: false });
    expect(log.list().at(-1)).toMatchObject({ body: 'Notice 10' });
  });

  test('notifies its listeners until they unsubscribe', () => {
    const log = createActivityLog();
    let calls = 0;
    const leave = log.subscribe(() => {
      calls += 1;
    });
    log.add('One');
    log.close();
    leave();
    log.add('Two');
    expect(calls).toBe(2);
  });

  test('returns the same list until it changes', () => {
    const log = createActivityLog();
    log.add('One', { isFailure: true });
    expect(log.list()).toBe(log.list());
    expect(log.list()[0]?.isFailure).toBe(true);
  });

  test('formats times as HH:mm:ss', () => {
    expect(clockTime(new Date(2026, 10, 21, 7, 5, 9).getTime())).toBe('07:05:09');
    expect(clockTime(new Date(2026, 10, 21, 23, 59, 0).getTime())).toBe('23:59:00');
  });

  test('closing empties it; it ignores notices until it is opened again', () => {
    const log = createActivityLog();
    log.add('before');
    log.close();
    log.add('late');
    expect(log.list()).toEqual([]);
    log.open();
    log.add('after');
    expect(log.list().map(({ body }) => body)).toEqual(['after']);
  });
});
