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

// Also of a copy that was made before its trees stood in front.
test.each([
  ['in front', treesOf('first')],
  ['in the rest alone', null],
])('its trees, %s, are those of the whole copy, or of the last change that says them', (_, ahead) => {
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

test('what lies behind the trees is read when it is asked for', () => {
  const copy = openedCopy([whole('not JSON', treesOf('first'))]);
  expect(copy.trees()).toEqual(treesOf('first'));
  for (const read of [copy.data, copy.snapshot, copy.data]) expect(read).toThrow(CopyFaultError);
});

test('a change that cannot be read makes no copy', () => {
  const unreadable = { ...change(2, null), json: utf8('{') };
  expect(() => openedCopy([whole('{}', treesOf('first')), unreadable])).toThrow(CopyFaultError);
});
