/** What the dialog offers, and which groups an export has. */
import { describe, expect, test } from 'vitest';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { EXPORT_FORMATS, isEncrypted } from '@passwordbroker/core/domain/exchange/export-formats';
import { WRITERS } from '@passwordbroker/core/domain/exchange/writers';
import { offeredKinds } from '@passwordbroker/client/vault/entries/export-scope';
import { groupTree } from '../groups/tree/group-tree.ts';
import { choiceLine, fileNameOf, lossLine, scopeOf } from './scope.ts';

test('each kind has a writer, which agrees about its encryption', () => {
  const writers = new Map(WRITERS.map((writer) => [writer.id, writer]));
  expect([...writers.keys()].toSorted()).toEqual([...EXPORT_FORMATS].toSorted());
  for (const id of EXPORT_FORMATS) expect(writers.get(id)?.isEncrypted).toBe(isEncrypted(id));
  expect(offeredKinds(false).every((id) => isEncrypted(id))).toBe(true);
  expect(offeredKinds(true)).toContain('csv-manager');
});

const types = { password: 5, link: 2, note: 1, file: 12, TOTP: 3 };
const counts = { entry_groups: 1, entries: 4, fields: 23, types, revisions: 363, file_bytes: 10, values: 8 };
test.each([
  ['kdbx', null],
  ['csv-table', 'CSV has no files (12) and no earlier versions (340).'],
  ['csv-manager', 'CSV has no files (12) and no earlier versions (340) and no one-time passwords (3).'],
] as const)('what %s cannot hold, as counts', (format, line) => {
  expect(lossLine(format, counts)).toBe(line);
  const nothing = { ...counts, types: { ...types, file: 0, TOTP: 0 }, revisions: counts.fields };
  expect(lossLine(format, nothing)).toBe(null);
});

test('what is left out by choice, where the kind could hold it', () => {
  const nothing = { files: false, history: false };
  expect(choiceLine('kdbx', nothing, counts)).toBe('Left out by your choice: 12 files and 340 earlier versions.');
  expect(choiceLine('cxf', nothing, counts)).toBe('Left out by your choice: 12 files.');
  expect(choiceLine('csv-table', nothing, counts)).toBe(null);
  expect(choiceLine('kdbx', { files: true, history: true }, counts)).toBe(null);
});

describe('the groups of an export', () => {
  const node = (id: string, role: TreeNode['role'], children: TreeNode[] = []): TreeNode => ({
    entry_group_id: id,
    title: id.toUpperCase(),
    materialized_path: id,
    role,
    children,
  });
  const tree = groupTree([
    node('a', 'admin', [node('b', 'moderator', [node('c', 'admin')]), node('d', 'guest', [node('e', 'member')])]),
    node('f', 'member'),
  ]);
  const ids = (by: 'nobody' | 'admins' | 'moderators' | 'members') => {
    const { groups, refused } = scopeOf({ kind: 'group', groupId: 'a' }, tree, by);
    return [
      groups
        .map(({ id }) => id)
        .toSorted()
        .join(''),
      refused
        .map(({ id }) => id)
        .toSorted()
        .join(''),
    ];
  };

  test('are those at and below it that the person can read, without those that the role does not reach', () => {
    expect(ids('nobody')).toEqual(['', 'abce']);
    expect(ids('admins')).toEqual(['ac', 'be']);
    expect(ids('moderators')).toEqual(['abc', 'e']);
    expect(ids('members')).toEqual(['abce', '']);
  });

  test('of a selection are its own group; of everything all that are readable', () => {
    const chosen = scopeOf({ kind: 'entries', groupId: 'a', entryIds: ['1', '2'] }, tree, 'admins');
    expect([chosen.groups.map(({ id }) => id), chosen.entryIds, chosen.name]).toEqual([['a'], ['1', '2'], 'selection']);
    const all = scopeOf({ kind: 'everything' }, tree, 'members');
    expect([all.groups.length, all.refused.length, all.name]).toEqual([5, 0, 'all']);
  });

  test('the name of the file has the group and the day', () => {
    expect(fileNameOf('Ops', 'kdbx', new Date('2026-11-28T05:00:00Z'))).toBe('passwordbroker-Ops-2026-11-28.kdbx');
  });
});
