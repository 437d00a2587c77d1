import { expect, test } from 'vitest';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { CopyFaultError, type OpenedPiece } from './copy-pieces.ts';
import { openedCopy } from './snapshot.ts';

const treesOf = (title: string): readonly TreeNode[] => [{ id: title, title, role: 'admin', children: [] }] as never;
const whole = (json: string, trees: readonly TreeNode[] | null): OpenedPiece => ({
  header: { format: 1, kind: 'whole', id: 'w', after: null, step: 1, timestamp: 1, cursor: 'a' },
  trees,
  json: utf8(json),
});
const change = (step: number, trees: readonly TreeNode[] | null): OpenedPiece => ({
  header: { format: 1, kind: 'delta', id: `d${step}`, after: 'w', step, timestamp: step, cursor: 'b' },
  trees: null,
  json: utf8(JSON.stringify({ trees, groups: [], gone_groups: [], gone_entries: [] })),
});

// Older copies have no separate trees before their data.
test.each([
  ['stored before the data', treesOf('first')],
  ['stored in the data only', null],
])('trees %s: the copy returns those of the last change that contains trees, otherwise its own', (_, ahead) => {
  const body = JSON.stringify({ users: [], trees: treesOf('first'), groups: [] });
  for (const [changes, title] of [
    [[], 'first'],
    [[change(2, null)], 'first'],
    [[change(2, treesOf('second')), change(3, null)], 'second'],
    [[change(2, treesOf('second')), change(3, []), change(4, treesOf('third'))], 'third'],
  ] as const) {
    const copy = openedCopy([whole(body, ahead), ...changes]);
    expect(copy.trees()).toEqual(treesOf(title));
    expect(copy.data().trees).toEqual(treesOf(title));
    expect(copy.timestamp).toBe(changes.length + 1);
    expect(copy.snapshot().timestamp).toBe(changes.length + 1);
  }
});

test('data other than the trees is parsed on first access', () => {
  const copy = openedCopy([whole('not JSON', treesOf('first'))]);
  expect(copy.trees()).toEqual(treesOf('first'));
  for (const read of [copy.data, copy.snapshot, copy.data]) expect(read).toThrow(CopyFaultError);
});

test('a change that cannot be parsed makes the copy unusable', () => {
  const unreadable = { ...change(2, null), json: utf8('{') };
  expect(() => openedCopy([whole('{}', treesOf('first')), unreadable])).toThrow(CopyFaultError);
});
