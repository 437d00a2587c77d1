import { expect, test } from 'vitest';
import { createLockAfter } from './auto-lock.ts';

const MINUTE = 60_000;

function storage(kept: Record<string, string> = {}) {
  const rows = new Map(Object.entries(kept));
  return {
    rows,
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => void rows.set(key, value),
    removeItem: (key: string) => void rows.delete(key),
  };
}

test('the default is ten minutes; another choice is stored in the browser', () => {
  const store = storage();
  const lockAfter = createLockAfter(() => store);
  expect([lockAfter.minutes(), lockAfter.most()]).toEqual([10, 60]);
  let told = 0;
  const stop = lockAfter.onChange(() => (told += 1));
  expect(lockAfter.choose(30)).toBe(true);
  expect([lockAfter.idleMs(), told]).toEqual([30 * MINUTE, 1]);
  expect(createLockAfter(() => store).minutes()).toBe(30);
  stop();
  lockAfter.choose(5);
  expect(told).toBe(1);
});

test('a choice is limited to the maximum of the site, and applies again when the maximum rises', () => {
  const store = storage();
  const lockAfter = createLockAfter(() => store);
  lockAfter.choose(30);
  lockAfter.learn(3);
  expect([lockAfter.minutes(), lockAfter.most()]).toEqual([3, 3]);
  lockAfter.choose(60);
  expect(lockAfter.minutes()).toBe(3);
  // The limit is stored for times without the server.
  expect(createLockAfter(() => store).minutes()).toBe(3);
  lockAfter.learn(60);
  expect(lockAfter.minutes()).toBe(60);
});

test.each(['', '0', '-1', '61', '1.5', 'never', 'Infinity'])(
  'an invalid stored choice (%j) falls back to the default',
  (kept) => {
    const store = storage({ 'passwordbroker.lock-minutes': kept, 'passwordbroker.most-lock-minutes': kept });
    const lockAfter = createLockAfter(() => store);
    expect([lockAfter.minutes(), lockAfter.most()]).toEqual([10, 60]);
  },
);

test('without storage a choice lasts until the page closes, and choose() returns false', () => {
  const lockAfter = createLockAfter(() => {
    throw new Error('no storage');
  });
  expect(lockAfter.minutes()).toBe(10);
  expect(lockAfter.choose(2)).toBe(false);
  expect(lockAfter.minutes()).toBe(2);
});
