import { expect, test } from 'vitest';
import type { OfflineDelta, OfflineEntry, OfflineHead } from '@passwordbroker/core/contract/account/offline';
import { UNMARKED } from '@passwordbroker/core/domain/entry-marks';
import { type CopyIndex, indexCopy } from './copy-index.ts';
import { type PackedCopy, packCopy } from './packed-copy.ts';

const time = '2026-03-01T09:30:00.000Z';
/** An entry with these files; each body has as many bytes as its revision number. */
const entryOf = (entry_group_id: string, entry_id: string, files: Readonly<Record<string, number>>): OfflineEntry => ({
  entry_id,
  entry_group_id,
  title: entry_id,
  ...UNMARKED,
  created_at: time,
  updated_at: time,
  passwords: [],
  links: [],
  notes: [],
  files: Object.entries(files).map(([field_id, rev]) => ({
    field_id,
    entry_id,
    entry_group_id,
    type: 'file',
    title: '',
    rev,
    gk_version: 1,
    crypto_profile: 'pb1',
    created_by: null,
    updated_by: null,
    created_at: time,
    updated_at: time,
    file_name: '',
    file_mime: '',
    file_size: rev,
    file: { body_size: rev },
    cek_wrapped_base64: '',
    encrypted_value_base64: '',
    initialization_vector_base64: '',
  })),
  TOTPs: [],
});
const headOf = (entry_group_id: string): OfflineHead => ({
  entry_group_id,
  parent_entry_group_id: null,
  name: entry_group_id,
  title: entry_group_id,
  materialized_path: entry_group_id,
  role: 'admin',
  gk_version: 1,
  rotation_due: false,
  origin: 'client',
  created_at: time,
  updated_at: time,
  admins: [],
  grants: [],
  rosters: [],
});
const treesOf = (...ids: string[]) =>
  ids.map((id) => ({
    entry_group_id: id,
    title: id,
    materialized_path: id,
    role: 'admin' as const,
    children: [],
  }));

const copy = (): PackedCopy =>
  packCopy({
    trees: treesOf('a', 'b'),
    groups: [
      { ...headOf('a'), entries: [entryOf('a', 'a1', { f1: 1, f2: 1 }), entryOf('a', 'a2', { f3: 1 })] },
      { ...headOf('b'), entries: [entryOf('b', 'b1', { f4: 1 })] },
    ],
  });
const NOTHING: OfflineDelta = { trees: null, groups: [], gone_groups: [], gone_entries: [] };
const changed = (entry_group_id: string, ...entries: OfflineEntry[]) => ({
  entry_group_id,
  head: null,
  is_whole: false,
  entries,
});
function indexed(of = copy()): CopyIndex {
  const index = indexCopy(of);
  if (index === null) throw new Error('it does not fit together');
  return index;
}
function taken(index: CopyIndex, delta: Partial<OfflineDelta>) {
  const whole = { ...NOTHING, ...delta };
  expect(index.fits(whole)).toBe(true);
  const gone = index.take(whole);
  // Applying the same change again changes nothing.
  expect(index.fits(whole)).toBe(true);
  return [
    [...gone].sort(),
    index
      .files()
      .map(({ groupId, fieldId, rev }) => `${groupId} ${fieldId} ${rev}`)
      .sort(),
  ];
}

test('the index lists the files that remain, are replaced, move or are removed by a change', () => {
  const index = indexed();
  expect(taken(index, { groups: [changed('a', entryOf('a', 'a1', { f1: 2, f5: 1 }))] })).toEqual([
    ['f2'],
    ['a f1 2', 'a f3 1', 'a f5 1', 'b f4 1'],
  ]);
  const move = {
    groups: [changed('b', entryOf('b', 'a2', { f3: 1 }))],
    gone_entries: [{ entry_group_id: 'a', entry_id: 'a2' }],
  };
  expect(taken(index, move)).toEqual([[], ['a f1 2', 'a f5 1', 'b f3 1', 'b f4 1']]);
  expect(taken(index, { gone_entries: [{ entry_group_id: 'b', entry_id: 'b1' }] })[0]).toEqual(['f4']);
  expect(taken(index, { gone_groups: ['a'], trees: treesOf('b') })).toEqual([['f1', 'f5'], ['b f3 1']]);
  const whole = { entry_group_id: 'b', head: headOf('b'), is_whole: true, entries: [entryOf('b', 'b2', { f6: 1 })] };
  expect(taken(index, { groups: [whole] })).toEqual([['f3'], ['b f6 1']]);
});

test('a change that puts an entry or field in two places, or refers to an unknown group, does not fit', () => {
  const index = indexed();
  const refused: readonly Partial<OfflineDelta>[] = [
    { groups: [changed('b', entryOf('b', 'a1', {}))] },
    { groups: [changed('a', entryOf('a', 'a9', { f4: 1 }))] },
    { groups: [changed('c', entryOf('c', 'c1', {}))] },
    { groups: [{ ...changed('c'), head: headOf('c') }], trees: treesOf('a', 'b', 'c') },
    { gone_groups: ['a'] },
    { trees: treesOf('a', 'b', 'c') },
  ];
  for (const delta of refused) expect(index.fits({ ...NOTHING, ...delta })).toBe(false);
});

test('a copy with duplicates, or with other groups than its trees, is not indexed', () => {
  const { groups, ...rest } = copy();
  const [a, b] = groups;
  if (a === undefined || b === undefined) throw new Error('no groups');
  expect(indexCopy({ ...rest, groups: [a] })).toBeNull();
  expect(indexCopy({ ...rest, groups: [a, a, b] })).toBeNull();
  expect(indexCopy({ ...rest, groups: [a, { ...b, entries: a.entries }] })).toBeNull();
});
