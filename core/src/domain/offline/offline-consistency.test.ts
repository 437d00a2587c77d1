import { describe, expect, test } from 'vitest';
import type { OfflineData, OfflineDelta, OfflineEntry, OfflineHead } from '../../contract/account/offline.ts';
import { UNMARKED } from '../entry-marks.ts';
import { isConsistentCopy, isConsistentDelta } from './offline-consistency.ts';

const ADA = 'ada';
const time = '2026-03-01T09:30:00.000Z';

const entryOf = (entry_group_id: string, entry_id: string, ...fieldIds: string[]): OfflineEntry => ({
  entry_id,
  entry_group_id,
  title: entry_id,
  ...UNMARKED,
  created_at: time,
  updated_at: time,
  passwords: [],
  links: [],
  notes: fieldIds.map((field_id) => ({
    field_id,
    entry_id,
    entry_group_id,
    type: 'note',
    title: '',
    rev: 1,
    gk_version: 1,
    crypto_profile: 'pb1',
    created_by: null,
    updated_by: null,
    created_at: time,
    updated_at: time,
    file: null,
    cek_wrapped_base64: '',
    encrypted_value_base64: '',
    initialization_vector_base64: '',
  })),
  files: [],
  TOTPs: [],
});

function headOf(path: string, role: OfflineHead['role'] = 'admin'): OfflineHead {
  const [entry_group_id = '', parent = null] = path.split('.').toReversed();
  const of = { entry_group_id };
  return {
    ...of,
    parent_entry_group_id: parent,
    name: entry_group_id,
    title: entry_group_id,
    materialized_path: path,
    role,
    gk_version: 2,
    rotation_due: false,
    origin: 'client',
    created_at: time,
    updated_at: time,
    admins: [
      {
        ...of,
        id: 'id',
        user_id: ADA,
        role: 'admin',
        fpr: null,
        user: { user_id: ADA, name: '' },
        created_at: time,
        updated_at: time,
      },
    ],
    grants: [1, 2].map((gk_version) => ({
      ...of,
      user_id: ADA,
      role,
      gk_version,
      alg: '',
      encrypted_aes_password_base64: '',
      recipient_fpr: '',
      granted_by: null,
    })),
    rosters: [3, 4].map((seq) => ({
      ...of,
      seq,
      roster_base64: '',
      roster_sig_base64: '',
      roster_proof_base64: null,
      roster_proof_prev_base64: null,
      signer: ADA,
      signer_certificate: null,
      created_at: time,
    })),
  };
}

const node = (path: string, role: OfflineData['trees'][number]['role'], children: OfflineData['trees'] = []) => {
  const entry_group_id = path.split('.').at(-1) ?? '';
  return { entry_group_id, title: entry_group_id, materialized_path: path, role, children };
};

/** Group `a` contains another person's group `b`, which contains `c`. */
const copy = (): OfflineData => ({
  trees: [node('a', 'admin', [node('a.b', 'guest', [node('a.b.c', 'member')])])],
  groups: [
    { ...headOf('a'), entries: [entryOf('a', 'a1', 'f1', 'f2'), entryOf('a', 'a2')] },
    { ...headOf('a.b.c', 'member'), entries: [entryOf('c', 'c1', 'f3')] },
  ],
});
const delta = (): OfflineDelta => ({
  trees: null,
  groups: [
    { entry_group_id: 'a', head: headOf('a'), is_whole: false, entries: [entryOf('a', 'a1', 'f1', 'f4')] },
    { entry_group_id: 'c', head: null, is_whole: false, entries: [entryOf('c', 'c2', 'f5')] },
  ],
  gone_groups: ['d'],
  gone_entries: [{ entry_group_id: 'a', entry_id: 'a2' }],
});

type Part<T> = T extends readonly (infer One)[]
  ? Part<One>[]
  : T extends object
    ? { -readonly [K in keyof T]: Part<T[K]> }
    : T;
type Forged<T> = readonly [string, (of: Part<T>) => unknown][];

test('a response of the server is consistent', () => {
  expect(isConsistentCopy(copy(), ADA)).toBe(true);
  expect(isConsistentDelta(delta(), ADA)).toBe(true);
  expect(isConsistentCopy({ trees: [], groups: [] }, ADA)).toBe(true);
});

describe('a whole copy is rejected with', () => {
  const forged: Forged<OfflineData> = [
    ['a group that the trees do not show', ({ trees }) => trees[0]!.children.pop()],
    ['a group of the trees that is not in it', ({ groups }) => groups.pop()],
    ['a group twice in the trees', ({ trees }) => trees.push(trees[0]!)],
    ['a group in another place', ({ trees }) => trees.push(trees[0]!.children[0]!.children.pop()!)],
    ['a path that is not the way to it', ({ trees }) => (trees[0]!.children[0]!.materialized_path = 'b')],
    ['another name', ({ trees }) => (trees[0]!.title = 'b')],
    ['another role', ({ trees }) => (trees[0]!.role = 'moderator')],
    ['a group shown as somebody else’s', ({ trees }) => (trees[0]!.role = 'guest')],
    ['a group on the way to nothing', ({ trees }) => trees.push(node('z', 'guest'))],
    ['a group twice', ({ groups }) => groups.push({ ...groups[0]!, entries: [] })],
    ['a grant of somebody else', ({ groups }) => (groups[0]!.grants[0]!.user_id = 'eve')],
    ['a grant of another group', ({ groups }) => (groups[0]!.grants[0]!.entry_group_id = 'c')],
    ['a grant twice', ({ groups }) => groups[0]!.grants.push(groups[0]!.grants[0]!)],
    ['an admin of another group', ({ groups }) => (groups[0]!.admins[0]!.entry_group_id = 'c')],
    ['an admin who is none', ({ groups }) => (groups[0]!.admins[0]!.role = 'member')],
    ['a list of another group', ({ groups }) => (groups[0]!.rosters[0]!.entry_group_id = 'c')],
    ['lists in another order', ({ groups }) => groups[0]!.rosters.reverse()],
    ['another parent', ({ groups }) => (groups[1]!.parent_entry_group_id = 'a')],
    ['an entry of another group', ({ groups }) => (groups[0]!.entries[0]!.entry_group_id = 'c')],
    ['an entry in two groups', ({ groups }) => groups[1]!.entries.push(entryOf('c', 'a1'))],
    ['a field of another entry', ({ groups }) => (groups[0]!.entries[0]!.notes[0]!.entry_id = 'a2')],
    ['a field of another group', ({ groups }) => (groups[0]!.entries[0]!.notes[0]!.entry_group_id = 'c')],
    ['a field twice', ({ groups }) => groups[1]!.entries.push(entryOf('c', 'c3', 'f1'))],
  ];
  test.each(forged)('%s', (_, change) => {
    const answer = copy();
    change(answer);
    expect(isConsistentCopy(answer, ADA)).toBe(false);
  });
  test('all data of another person', () => {
    expect(isConsistentCopy(copy(), 'eve')).toBe(false);
  });
});

describe('a delta is rejected with', () => {
  const forged: Forged<OfflineDelta> = [
    ['a head of another group', ({ groups }) => (groups[1]!.head = headOf('a'))],
    ['a head with a grant of another person', ({ groups }) => (groups[0]!.head!.grants[0]!.user_id = 'eve')],
    ['a group twice', ({ groups }) => groups.push({ ...groups[0]!, entries: [] })],
    ['an entry of another group', ({ groups }) => groups[0]!.entries.push(entryOf('c', 'c1'))],
    ['an entry twice', ({ groups }) => groups[1]!.entries.push(entryOf('c', 'a1'))],
    ['a field of another entry', ({ groups }) => (groups[0]!.entries[0]!.notes[0]!.entry_id = 'a2')],
    ['a field twice', ({ groups }) => groups[1]!.entries.push(entryOf('c', 'c3', 'f1'))],
    ['a group both added and removed', ({ gone_groups }) => gone_groups.push('a')],
    ['a group removed twice', ({ gone_groups }) => gone_groups.push('d')],
    [
      'an entry both added and removed',
      ({ gone_entries }) => gone_entries.push({ entry_group_id: 'a', entry_id: 'a1' }),
    ],
    ['an entry removed twice', ({ gone_entries }) => gone_entries.push(gone_entries[0]!)],
  ];
  test.each(forged)('%s', (_, change) => {
    const answer = delta();
    change(answer);
    expect(isConsistentDelta(answer, ADA)).toBe(false);
  });
});
