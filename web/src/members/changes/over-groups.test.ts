import type { NamedGroup } from '../../groups/tree/group-tree.ts';
import { expect, test } from 'vitest';
import { overGroups } from './over-groups.ts';

const GROUPS: readonly NamedGroup[] = Array.from({ length: 20 }, (_, at) => ({ id: String(at), title: `Group ${at}` }));
const ids = (groups: readonly NamedGroup[]) => groups.map(({ id }) => Number(id)).sort((a, b) => a - b);

test('runs each group once, a few at a time, with progress', async () => {
  let now = 0;
  let most = 0;
  const progress: number[] = [];
  const outcome = await overGroups(
    GROUPS,
    async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now -= 1;
      return null;
    },
    { onProgress: (done) => progress.push(done), atOnce: 4 },
  );
  expect(ids(outcome.done)).toEqual(GROUPS.map((_, at) => at));
  expect(most).toBe(4);
  expect(progress).toEqual(GROUPS.map((_, at) => at + 1));
});

test('reports failures and skips, and continues with the others', async () => {
  const outcome = await overGroups(GROUPS, async ({ id }) => {
    if (id === '3') throw new Error('no');
    return id === '4' ? 'not-member' : null;
  });
  expect(outcome.failed.map(({ group }) => group.id)).toEqual(['3']);
  expect(outcome.skipped.map(({ group, why }) => [group.id, why])).toEqual([['4', 'not-member']]);
  expect(outcome.done).toHaveLength(18);
  expect(outcome.left).toEqual([]);
});

test('a stop leaves the rest; running groups finish', async () => {
  const stop = new AbortController();
  const outcome = await overGroups(
    GROUPS,
    async ({ id }) => {
      if (id === '5') stop.abort();
      await new Promise((resolve) => setTimeout(resolve, 1));
      return null;
    },
    { signal: stop.signal, atOnce: 2 },
  );
  expect(outcome.done.length + outcome.left.length).toBe(20);
  expect(outcome.done.length).toBeLessThan(9);
});

test('a failure for which isStop is true stops the run and is not listed as failed', async () => {
  let calls = 0;
  const closed = new Error('closed');
  const outcome = await overGroups(
    GROUPS,
    () => {
      calls += 1;
      return Promise.reject(closed);
    },
    { isStop: (failure) => failure === closed },
  );
  expect(calls).toBe(1);
  expect(outcome).toMatchObject({ done: [], failed: [] });
  expect(ids(outcome.left)).toEqual(GROUPS.map((_, at) => at));
});

test('with isReady, the first group does not go alone; a stop still leaves those not yet started', async () => {
  let begun = 0;
  const closed = new Error('closed');
  const outcome = await overGroups(
    GROUPS,
    async () => {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, 1));
      throw closed;
    },
    { atOnce: 4, isReady: true, isStop: (failure) => failure === closed },
  );
  expect(begun).toBe(4);
  expect(outcome.failed).toEqual([]);
  expect(ids(outcome.left)).toEqual(GROUPS.map((_, at) => at));
});
