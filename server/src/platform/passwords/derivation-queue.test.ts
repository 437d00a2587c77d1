import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { derivationLimits, derivationQueue, ownerOf } from './derivation-queue.ts';
import type { DerivationQueue } from './derivation-queue.ts';

afterEach(() => void vi.useRealTimers());

const MIB = 1024 * 1024;
const LIMITS = { slots: 3, runningEach: 2, waitingEach: 4, patience: 15_000 };
const BUSY = { code: 'unavailable', status: 503, retryAfter: 2 };
const flush = () => new Promise((resolve) => setImmediate(resolve));

interface Item {
  readonly owner: string;
  readonly isSignIn: boolean;
  /** Ends the work of this derivation. */
  end(): void;
}

/** A queue whose work the test ends. */
function heldQueue(queue: DerivationQueue) {
  const started: Item[] = [];
  const refused: unknown[] = [];
  const add = (owner: string, isSignIn = false) =>
    void queue
      .run(owner, () => new Promise<void>((resolve) => started.push({ owner, isSignIn, end: resolve })), { isSignIn })
      .catch((error: unknown) => refused.push(error));
  return { started, refused, add };
}

describe('fairness of the queue (T148)', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ owner: fc.constantFrom('a', 'a', 'b', 'c', 'd'), isSignIn: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ end: fc.nat(20) }) },
  );

  test('limits, full use of slots and round robin hold for any order of arrivals and ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 5 }),
        fc.array(step, { minLength: 40, maxLength: 120, size: 'max' }),
        async (slots, steps) => {
          const { started, refused, add } = heldQueue(derivationQueue({ ...LIMITS, slots }));
          const waiting: Omit<Item, 'end'>[] = [];
          const running: Item[] = [];
          /** How often a waiting owner that could have started was passed over. */
          const passedOver = new Map<string, number>();
          let [seen, refusals] = [0, 0];
          const count = (items: readonly Omit<Item, 'end'>[], owner: string) =>
            items.filter((item) => item.owner === owner).length;
          const others = () => running.filter(({ isSignIn }) => !isSignIn).length;
          const mayStart = ({ owner, isSignIn }: Omit<Item, 'end'>) =>
            running.length < slots && count(running, owner) < 2 && (isSignIn || others() < slots - 1);

          const observe = async () => {
            await flush();
            for (const item of started.slice(seen)) {
              expect(mayStart(item)).toBe(true);
              for (const owner of new Set(waiting.filter(mayStart).map((other) => other.owner))) {
                if (owner === item.owner) continue;
                const passed = (passedOver.get(`${owner} by ${item.owner}`) ?? 0) + 1;
                passedOver.set(`${owner} by ${item.owner}`, passed);
                expect(passed).toBe(1);
              }
              for (const other of 'abcd') passedOver.delete(`${item.owner} by ${other}`);
              const at = waiting.findIndex(({ owner, isSignIn }) => owner === item.owner && isSignIn === item.isSignIn);
              waiting.splice(at, 1);
              running.push(item);
            }
            seen = started.length;
            // No slot stays free while allowed work waits.
            expect(waiting.filter(mayStart)).toEqual([]);
          };

          for (const each of steps) {
            if ('owner' in each) {
              const isOver = count(waiting, each.owner) === 4;
              add(each.owner, each.isSignIn);
              if (isOver) refusals += 1;
              else waiting.push(each);
            } else if (running.length > 0) {
              running.splice(each.end % running.length, 1)[0]?.end();
            }
            await observe();
            expect(refused).toHaveLength(refusals);
          }
          for (let turn = 0; running.length > 0 && turn < 1000; turn += 1) {
            running.shift()?.end();
            await observe();
          }
          expect([waiting, running, started.length + refusals]).toEqual([
            [],
            [],
            steps.filter((each) => 'owner' in each).length,
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('one owner may have two derivations running and four waiting; only its next one is refused', async () => {
  const { started, refused, add } = heldQueue(derivationQueue({ ...LIMITS, slots: 8 }));
  for (let n = 0; n < 7; n += 1) add('a');
  await flush();
  expect([started.length, refused]).toEqual([2, [expect.objectContaining(BUSY)]]);
  add('b');
  await flush();
  expect([started.length, refused.length]).toEqual([3, 1]);
});

test('one slot is kept free for sign-ins, however many others wait', async () => {
  const queue = derivationQueue(LIMITS);
  const { started, add } = heldQueue(queue);
  for (const owner of ['a', 'b', 'c', 'd']) add(owner);
  await flush();
  expect(started).toHaveLength(2);
  expect(queue.hasRoom()).toBe(true);
  add('e', true);
  await flush();
  expect(started.map(({ owner }) => owner)).toEqual(['a', 'b', 'e']);
  expect(queue.hasRoom()).toBe(false);
});

test('failed work frees its slot too', async () => {
  const queue = derivationQueue({ ...LIMITS, slots: 2, waitingEach: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.run('a', () => Promise.resolve('yes'))).toBe('yes');
});

test('a derivation that waited for 15 s is refused and never begins', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { started, refused, add } = heldQueue(derivationQueue({ ...LIMITS, slots: 2 }));
  add('a');
  add('b');
  await flush();
  vi.advanceTimersByTime(15_000);
  await flush();
  expect([started.map(({ owner }) => owner), refused]).toEqual([['a'], [expect.objectContaining(BUSY)]]);
  started[0]?.end();
  await flush();
  add('c');
  await flush();
  expect(started.map(({ owner }) => owner)).toEqual(['a', 'c']);
});

test('the owner is the person who is signed in, otherwise the address', () => {
  const origin = { address: '192.0.2.7' };
  expect(ownerOf({ actor: { userId: 'u1' }, origin })).toBe('user:u1');
  expect(ownerOf({ actor: null, origin })).toBe('address:192.0.2.7');
  expect(ownerOf({ actor: null, origin: { address: '2001:db8::7' } })).toBe('address:2001:db8:0:0::/64');
});

test.each([
  [{ cores: 1, memory: 128 * MIB, threads: 12 }, 2],
  [{ cores: 2, memory: 16_384 * MIB, threads: 12 }, 3],
  [{ cores: 6, memory: 1100 * MIB, threads: 12 }, 5],
  [{ cores: 64, memory: 262_144 * MIB, threads: 12 }, 9],
  [{ cores: 64, memory: 262_144 * MIB, threads: 4 }, 2],
])('%o has %i slots', (machine, slots) => {
  expect(derivationLimits(machine)).toEqual({ slots, runningEach: 2, waitingEach: 4, patience: 15_000 });
});
