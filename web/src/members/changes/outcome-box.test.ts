import { expect, test } from 'vitest';
import { linesOf } from './outcome-box.tsx';
import type { Outcome } from './over-groups.ts';

const groups = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: `Group ${at}` }));
const NOTHING: Outcome = { done: [], failed: [], skipped: [], left: [] };

test('a full success has no lines', () => {
  expect(linesOf({ ...NOTHING, done: groups(100) })).toEqual([]);
});

test('names failures with their reason and counts the rest', () => {
  const failed = groups(10).map((group) => ({ group, reason: new Error('The connection was lost.') }));
  const lines = linesOf({ ...NOTHING, failed });
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('It did not work in 10 groups:');
  expect(lines[1]).toBe('Group 0: The connection was lost.');
  expect(lines.at(-1)).toBe('and 2 groups more');
});

test('names skipped and remaining groups', () => {
  const [first, second] = groups(2);
  if (first === undefined || second === undefined) throw new Error('two groups');
  expect(
    linesOf({
      ...NOTHING,
      skipped: [
        { group: first, why: 'other-role' },
        { group: second, why: 'not-member' },
      ],
      left: groups(1),
    }),
  ).toEqual([
    'Not a member in 1 group.',
    'Already in 1 group with another role, which was not changed.',
    'Stopped: 1 group left as they were.',
  ]);
});
