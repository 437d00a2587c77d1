import { afterEach, expect, test, vi } from 'vitest';
import { semaphore } from './semaphore.ts';

afterEach(() => void vi.useRealTimers());

/** Work that ends when it is told to. */
function heldWork() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  return { ends, work };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('so many at once, so many waiting, the rest is sent away with 503', async () => {
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

test('it has room until so many are at work, and again when one has left', async () => {
  const room = semaphore({ atOnce: 1, waiting: 1 });
  const { ends, work } = heldWork();
  expect(room.hasRoom()).toBe(true);
  const first = room.run(work);
  expect(room.hasRoom()).toBe(false);
  const second = room.run(work);
  ends[0]?.();
  await first;
  // The place went on to who waited.
  expect(room.hasRoom()).toBe(false);
  await turn();
  ends[1]?.();
  await second;
  expect(room.hasRoom()).toBe(true);
});

test('failed work makes room, too', async () => {
  const room = semaphore({ atOnce: 1, waiting: 0 });
  await expect(room.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await room.run(() => Promise.resolve('yes'))).toBe('yes');
});

test('who has waited too long is sent away and his work never begins; those behind him move up', async () => {
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
  // Whoever has his turn is not sent away, however long it takes.
  vi.advanceTimersByTime(5000);
  ends[1]?.();
  await patient;
  expect(await room.run(() => Promise.resolve('free again'))).toBe('free again');
});
