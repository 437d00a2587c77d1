/** Derivations of a storm: in threads, with the same results, and without them where they fail. */
import { setTimeout as wait } from 'node:timers/promises';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { expect, test } from 'vitest';
import { argon2idBy, directly } from './argon2.ts';
import type { Argon2Library } from './argon2.ts';
import { derivationThreads } from './derivation-threads.ts';

const SMALL = { algorithm: 2, memoryCost: 1024, timeCost: 1, parallelism: 1 };
const IDLE_MS = 100;

/** How often the library's own way was gone. */
function watched() {
  let direct = 0;
  const library: Argon2Library = {
    verify: (...given) => ((direct += 1), directly.verify(...given)),
    hash: (...given) => ((direct += 1), directly.hash(...given)),
    hashRaw: (...given) => ((direct += 1), directly.hashRaw(...given)),
  };
  return { library, direct: () => direct };
}

async function until(holds: () => boolean) {
  for (let turn = 0; turn < 500 && !holds(); turn += 1) await wait(20);
  expect(holds()).toBe(true);
}

/** Two at a time, until both go through threads. */
async function storm(library: Argon2Library, direct: () => number) {
  const phc = await directly.hash('a password', SMALL);
  for (let round = 0; round < 500; round += 1) {
    const before = direct();
    expect(await Promise.all([library.verify(phc, 'a password'), library.verify(phc, 'another')])).toEqual([
      true,
      false,
    ]);
    if (direct() === before) return;
  }
  throw new Error('the library’s own way was gone all the time');
}

test('one after the other no thread is started; two at once have two from then on, which end when there is nothing to do', async () => {
  const { library, direct } = watched();
  const threads = derivationThreads({ atOnce: 2, direct: library, idleMs: IDLE_MS });
  const phc = await threads.hash('a password', SMALL);
  expect(await threads.verify(phc, 'a password')).toBe(true);
  expect([threads.count(), direct()]).toEqual([0, 2]);
  await storm(threads, direct);
  expect(threads.count()).toBe(2);
  await until(() => threads.count() === 0);
  expect(await threads.verify(phc, 'a password')).toBe(true);
});

test('on one core nobody starts any', async () => {
  const { library, direct } = watched();
  const threads = derivationThreads({ atOnce: 1, direct: library });
  await Promise.all([threads.hash('a', SMALL), threads.hash('b', SMALL)]);
  expect([threads.count(), direct()]).toEqual([0, 2]);
});

test('what a thread derives is what the library derives, and what it refuses is told', async () => {
  const { library, direct } = watched();
  const threads = derivationThreads({ atOnce: 2, direct: library, idleMs: 60_000 });
  await storm(threads, direct);
  const before = direct();
  const profile = { memoryKib: 1024, iterations: 2, parallelism: 4 };
  const [password, salt] = [utf8('pass'), new Uint8Array(16).fill(3)];
  expect(await argon2idBy(threads)(password, salt, profile)).toEqual(
    await argon2idBy(directly)(password, salt, profile),
  );
  expect([password, salt[0]]).toEqual([utf8('pass'), 3]);
  expect(await directly.verify(await threads.hash('a password', SMALL), 'a password')).toBe(true);
  await expect(threads.verify('no PHC string', 'a password')).rejects.toThrow(/./);
  expect(await threads.verify(await threads.hash('still', SMALL), 'still')).toBe(true);
  expect(direct()).toBe(before);
});

test('who is with a thread that ends derives without it', async () => {
  const { library, direct } = watched();
  const threads = derivationThreads({ atOnce: 2, direct: library, idleMs: 60_000 });
  await storm(threads, direct);
  const before = direct();
  // Its heap of 16 MB cannot hold what is sent along.
  const filler = Array.from({ length: 2_000_000 }, () => ({}));
  const phc = await threads.hash('a password', Object.assign({ filler }, SMALL));
  await until(() => threads.count() === 1);
  expect(direct()).toBe(before + 1);
  expect(await threads.verify(phc, 'a password')).toBe(true);
});
