/** Batching of many small calls into few requests; each call gets its own answer. */
import { expect, test } from 'vitest';
import { gathered } from '../vault/groups/many-groups.ts';

/** Doubles numbers; a negative number is refused alone, a zero fails the whole request. */
function doubling(
  options: { enough: number; most: number; heaviest?: number; weigh?: (one: number) => number },
  wait: () => Promise<unknown> = async () => undefined,
) {
  const sent: (readonly number[])[] = [];
  const { ask } = gathered({
    ...options,
    async send(asks: readonly number[]) {
      sent.push(asks);
      await wait();
      if (asks.includes(0)) throw new RangeError('zero');
      return asks.map((one) => () => {
        if (one < 0) throw new TypeError(`negative ${one}`);
        return one * 2;
      });
    },
  });
  return { ask, sent };
}
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('calls of one turn share a request, and each gets its own answer', async () => {
  const { ask, sent } = doubling({ enough: 10, most: 10 });
  expect(await Promise.all([1, 2, 3].map((one) => ask(() => one)))).toEqual([2, 4, 6]);
  expect(sent).toEqual([[1, 2, 3]]);
});

test('calls made during a request go with the next request', async () => {
  const { ask, sent } = doubling({ enough: 10, most: 10 }, () => later(30));
  const first = ask(() => 1);
  await later(5);
  const others = [2, 3].map((one) => ask(() => one));
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6]);
  expect(sent).toEqual([[1], [2, 3]]);
});

test('ready calls wait for calls in preparation, unless there are enough of them', async () => {
  const slow = async (one: number) => {
    await later(20);
    return one;
  };
  const patient = doubling({ enough: 10, most: 10 });
  await Promise.all([patient.ask(() => 1), patient.ask(() => slow(2))]);
  expect(patient.sent).toEqual([[1, 2]]);
  const eager = doubling({ enough: 2, most: 10 });
  await Promise.all([eager.ask(() => 1), eager.ask(() => 2), eager.ask(() => slow(3))]);
  expect(eager.sent).toEqual([[1, 2], [3]]);
});

test('a request has at most the allowed number of calls', async () => {
  const { ask, sent } = doubling({ enough: 2, most: 2 });
  await Promise.all([1, 2, 3, 4, 5].map((one) => ask(() => one)));
  expect(sent).toEqual([[1, 2], [3, 4], [5]]);
});

test('a request has at most the allowed weight, unless a single call exceeds it', async () => {
  const { ask, sent } = doubling({ enough: 5, most: 5, heaviest: 10, weigh: (one) => one });
  await Promise.all([4, 6, 1, 30, 2].map((one) => ask(() => one)));
  expect(sent).toEqual([[4, 6], [1], [30], [2]]);
});

test('a refusal rejects its own call, a failed request all its calls, and later calls are unaffected', async () => {
  const { ask } = doubling({ enough: 10, most: 10 });
  const outcomes = await Promise.allSettled([ask(() => 1), ask(() => -1)]);
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: new TypeError('negative -1') },
  ]);
  const failed = await Promise.allSettled([ask(() => 4), ask(() => 0)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask(() => 5)).toBe(10);
});

test('a failed preparation rejects its own call and does not delay others', async () => {
  const { ask, sent } = doubling({ enough: 10, most: 10 });
  const broken = ask(async () => {
    await later(10);
    throw new Error('not sealed');
  });
  const [failure, answer] = await Promise.allSettled([broken, ask(() => 1)]);
  expect(failure).toEqual({ status: 'rejected', reason: new Error('not sealed') });
  expect(answer).toEqual({ status: 'fulfilled', value: 2 });
  expect(sent).toEqual([[1]]);
});
