import { afterEach, expect, test, vi } from 'vitest';
import { semaphore } from './semaphore.ts';

afterEach(() => void vi.useRealTimers());

/** Work that ends on demand. */
function heldWork() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  return { ends, work };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the configured numbers run and wait; others are refused with 503', async () => {
  const room = semaphore({ atOnce: 2, waiting: 3 });
  const { ends, work } = heldWork();
  const accepted = Array.from({ length: 5 }, () => room.run(work));
  await turn();
  expect(ends).toHaveLength(2);
  await expect(room.run(work)).rejects.toMatchObject({ code: 'unavailable', status: 503, retryAfter: 2 });
  for (let n = 0; n < 5; n += 1) {
    ends[n]?.();
    await turn();
    expect(ends.length).toBeLessThanOrEqual(n + 3);
  }
  await Promise.all(accepted);
});

test('hasRoom is false while the configured number runs, and true after one ends', async () => {
  const room = semaphore({ atOnce: 1, waiting: 1 });
  const { ends, work } = heldWork();
  expect(room.hasRoom()).toBe(true);
  const first = room.run(work);
  expect(room.hasRoom()).toBe(false);
  const second = room.run(work);
  ends[0]?.();
  await first;
  // The waiting work took the free place.
  expect(room.hasRoom()).toBe(false);
  await turn();
  ends[1]?.();
  await second;
  expect(room.hasRoom()).toBe(true);
});

test('failed work frees its place too', async () => {
  const room = semaphore({ atOnce: 1, waiting: 0 });
  await expect(room.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await room.run(() => Promise.resolve('yes'))).toBe('yes');
});

test('work that waits too long is refused and never starts; later work moves up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const room = semaphore({ atOnce: 1, waiting: 2, patience: 1000 });
  const { ends, work } = heldWork();
  const first = room.run(work);
  const tooLong = room.run(work);
  const refused = expect(tooLong).rejects.toMatchObject({ code: 'unavailable', status: 503, retryAfter: 2 });
  vi.advanceTimersByTime(600);
  const patient = room.run(work);
  vi.advanceTimersByTime(400);
  await refused;
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await first;
  await turn();
  expect(ends).toHaveLength(2);
  // Running work is not refused, however long it takes.
  vi.advanceTimersByTime(5000);
  ends[1]?.();
  await patient;
  expect(await room.run(() => Promise.resolve('free again'))).toBe('free again');
});
