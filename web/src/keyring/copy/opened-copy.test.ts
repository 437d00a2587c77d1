import { expect, test } from 'vitest';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import type { OpenedPiece } from './copy-pieces.ts';
import { openedCopy } from './opened-copy.ts';

const treesOf = (title: string): readonly TreeNode[] => [{ id: title, title, role: 'admin', children: [] }] as never;
const whole = (json: string): OpenedPiece => ({
  header: {
    format: 2,
    kind: 'whole',
    id: 'w',
    after: null,
    step: 1,
    timestamp: 1,
    cursor: 'a',
    trees: treesOf('first'),
  },
  json: utf8(json),
});
const change = (step: number, trees: readonly TreeNode[] | null): OpenedPiece => ({
  header: { format: 2, kind: 'delta', id: `d${step}`, after: 'w', step, timestamp: step, cursor: 'b', trees: null },
  json: utf8(JSON.stringify({ trees, groups: [], gone_groups: [], gone_entries: [] })),
});

test('its trees are those of the whole copy, or of the last change that says them', () => {
  const body = JSON.stringify({ users: [], groups: [] });
  for (const [changes, title] of [
    [[], 'first'],
    [[change(2, null)], 'first'],
    [[change(2, treesOf('second')), change(3, null)], 'second'],
    [[change(2, treesOf('second')), change(3, []), change(4, treesOf('third'))], 'third'],
  ] as const) {
    const copy = openedCopy([whole(body), ...changes]);
    expect(copy.trees).toEqual(treesOf(title));
    expect(copy.data().trees).toEqual(copy.trees);
    expect(copy.head.step).toBe(changes.length + 1);
    expect(copy.snapshot().timestamp).toBe(changes.length + 1);
  }
});

test('what lies behind the trees is read when it is asked for', () => {
  const copy = openedCopy([whole('not JSON')]);
  expect(copy.trees).toEqual(treesOf('first'));
  expect(() => copy.data()).toThrow(SyntaxError);
});
