/** Derivations of a storm: in threads, with the same results, and without them once one has failed. */
import { setTimeout as wait } from 'node:timers/promises';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { expect, test } from 'vitest';
import { argon2idBy, directly } from './argon2.ts';
import type { Argon2Library } from './argon2.ts';
import { startDeriving } from './derivation-thread.ts';
import type { Derived, StartDeriving } from './derivation-thread.ts';
import { derivationThreads } from './derivation-threads.ts';

const SMALL = { algorithm: 2, memoryCost: 1024, timeCost: 1, parallelism: 1 };

/** How often the library's own way was gone, and what was told of threads. */
function watched(options: { atOnce?: number; idleMs?: number; start?: StartDeriving } = {}) {
  let direct = 0;
  const failures: unknown[] = [];
  const library: Argon2Library = {
    verify: (...given) => ((direct += 1), directly.verify(...given)),
    hash: (...given) => ((direct += 1), directly.hash(...given)),
    hashRaw: (...given) => ((direct += 1), directly.hashRaw(...given)),
  };
  const threads = derivationThreads({
    atOnce: 2,
    direct: library,
    idleMs: 60_000,
    onFailure: (error) => failures.push(error),
    ...options,
  });
  return { threads, failures, direct: () => direct };
}

async function until(holds: () => boolean) {
  for (let turn = 0; turn < 500 && !holds(); turn += 1) await wait(20);
  expect(holds()).toBe(true);
}

/** Two at a time, until both go through threads. */
async function storm({ threads, direct }: ReturnType<typeof watched>) {
  const phc = await directly.hash('a password', SMALL);
  for (let round = 0; round < 500; round += 1) {
    const before = direct();
    const judged = await Promise.all([threads.verify(phc, 'a password'), threads.verify(phc, 'another')]);
    expect(judged).toEqual([true, false]);
    if (direct() === before) return phc;
    await wait(10);
  }
  throw new Error('the library’s own way was gone all the time');
}

test('one after the other no thread is started; two at once have two from then on, each of which ends when it has nothing to do', async () => {
  const seen = watched({ idleMs: 1000 });
  const { threads, direct } = seen;
  const phc = await threads.hash('a password', SMALL);
  expect(await threads.verify(phc, 'a password')).toBe(true);
  expect([threads.count(), direct()]).toEqual([0, 2]);
  await storm(seen);
  expect(threads.count()).toBe(2);
  // One of them goes on.
  const before = direct();
  for (let turn = 0; turn < 500 && threads.count() === 2; turn += 1) {
    expect(await threads.verify(phc, 'a password')).toBe(true);
    await wait(20);
  }
  expect([threads.count(), direct()]).toEqual([1, before]);
  await until(() => threads.count() === 0);
  expect(await threads.verify(phc, 'a password')).toBe(true);
  expect([direct(), seen.failures]).toEqual([before + 1, []]);
});

test('on one core nobody starts any', async () => {
  const { threads, direct } = watched({ atOnce: 1 });
  await Promise.all([threads.hash('a', SMALL), threads.hash('b', SMALL)]);
  expect([threads.count(), direct()]).toEqual([0, 2]);
});

test('what a thread derives is what the library derives, and what that refuses is told', async () => {
  const seen = watched();
  const { threads, direct } = seen;
  await storm(seen);
  const before = direct();
  const profile = { memoryKib: 1024, iterations: 2, parallelism: 4 };
  const [password, salt] = [utf8('pass'), new Uint8Array(16).fill(3)];
  const key = await argon2idBy(threads)(password, salt, profile);
  expect(key).toEqual(await argon2idBy(directly)(password, salt, profile));
  expect([password, salt[0]]).toEqual([utf8('pass'), 3]);
  expect(await directly.verify(await threads.hash('a password', SMALL), 'a password')).toBe(true);
  await expect(threads.verify('no PHC string', 'a password')).rejects.toThrow(/./);
  expect(await threads.verify(await threads.hash('still', SMALL), 'still')).toBe(true);
  expect([direct(), seen.failures]).toEqual([before, []]);
});

test('the system gives no thread: the library’s own way is gone, and nobody tries again', async () => {
  let tries = 0;
  const seen = watched({
    start: () => {
      tries += 1;
      throw new Error('no more threads');
    },
  });
  for (let round = 0; round < 3; round += 1)
    await Promise.all([seen.threads.hash('a', SMALL), seen.threads.hash('b', SMALL)]);
  expect([tries, seen.direct(), seen.threads.count()]).toEqual([1, 6, 0]);
  expect(seen.failures).toEqual([new Error('no more threads')]);
});

test('a thread is not asked before it has started', async () => {
  let ready = () => {};
  const asked: string[] = [];
  const seen = watched({
    start: ({ onReady }) => {
      ready = onReady;
      return { derive: async ({ kind }) => (asked.push(kind), { value: true }), end: () => {} };
    },
  });
  await Promise.all([seen.threads.hash('a', SMALL), seen.threads.hash('b', SMALL)]);
  const phc = await seen.threads.hash('c', SMALL);
  expect([asked, seen.direct()]).toEqual([[], 3]);
  ready();
  expect(await seen.threads.verify(phc, 'anything')).toBe(true);
  expect([asked, seen.direct()]).toEqual([['verify'], 3]);
});

test.each<[string, Derived | null, number]>([
  ['instead of answering', null, 1],
  ['right behind its answer', { value: true }, 0],
])(
  'a thread that fails %s: whoever was with it has his answer, and all go the library’s own way from then on',
  async (_, answer, byLibrary) => {
    const seen = watched();
    const phc = await storm(seen);
    // A thread of our own making in place of one that has failed.
    let ended = 0;
    let fail: (error: unknown) => void = () => {};
    const broken = watched({
      start: ({ onReady, onEnd, onFailure }) => {
        fail = (error) => {
          onFailure(error);
          onEnd();
        };
        setTimeout(onReady);
        return {
          async derive() {
            fail(new Error('gone'));
            return answer;
          },
          end: () => (ended += 1),
        };
      },
    });
    await Promise.all([broken.threads.verify(phc, 'x'), broken.threads.verify(phc, 'x')]);
    await wait(20);
    const before = broken.direct();
    expect(await broken.threads.verify(phc, 'a password')).toBe(true);
    expect(broken.direct() - before).toBe(byLibrary);
    expect(await broken.threads.verify(phc, 'another')).toBe(false);
    expect(broken.failures).toEqual([new Error('gone')]);
    expect(ended).toBe(answer === null ? 0 : 1);
  },
);

test('a real thread that ends without an answer tells whoever waits, and whoever comes later', async () => {
  const failures: unknown[] = [];
  let ends = 0;
  const thread = await new Promise<ReturnType<StartDeriving>>((resolve) => {
    const started = startDeriving({
      onReady: () => resolve(started),
      onEnd: () => (ends += 1),
      onFailure: (error) => failures.push(error),
    });
  });
  // What cannot be sent cannot be answered.
  const options = { ...SMALL, salt: (() => {}) as unknown as Uint8Array };
  expect(await thread.derive({ kind: 'hash', password: 'a password', options })).toBeNull();
  expect(await thread.derive({ kind: 'hash', password: 'a password', options: SMALL })).toBeNull();
  expect([failures.length, ends]).toEqual([1, 1]);
});

test('a real thread that is ended has not failed', async () => {
  const failures: unknown[] = [];
  await new Promise<void>((resolve) => {
    const thread = startDeriving({
      onReady: () => thread.end(),
      onEnd: resolve,
      onFailure: (error) => failures.push(error),
    });
  });
  expect(failures).toEqual([]);
});
