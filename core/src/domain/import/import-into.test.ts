/** Imports into existing groups: new revisions open at their fields, new groups have the members of the group above. */
import { beforeAll, expect, test } from 'vitest';
import { type TestPerson, somePeople } from '../../testing/keyrings.ts';
import type { ExchangeTree, TreeEntry, TreeField } from '../exchange/tree.ts';
import { openField } from '../fields/field.ts';
import { createGroupKeys } from '../groups/group-keys.ts';
import { monotonicIds, sealPortion } from './import-fields.ts';
import { type ImportPlan, type ImportTarget, prepareImportInto } from './import-into.ts';

const NOW = Date.parse('2026-02-03T04:05:06Z');
const newId = monotonicIds(NOW);
const times = { created: null, modified: null };

const password = (...values: readonly string[]): TreeField => ({
  type: 'password',
  revisions: values.map((value) => ({
    content: { type: 'password', title: 'Password', login: 'ada', value },
    at: NOW - 1000,
  })),
});
const entry = (group: number, title: string, fields: readonly TreeField[]): TreeEntry => ({
  group,
  title,
  tags: [],
  expires: null,
  fields,
  ...times,
});
/** The root and `Known` exist; `New` is below `Known`, `Newer` below that. */
const tree: ExchangeTree = {
  groups: [
    { name: 'Root', parent: null, ...times },
    { name: 'Known', parent: 0, ...times },
    { name: 'New', parent: 1, ...times },
    { name: 'Newer', parent: 2, ...times },
  ],
  entries: [
    entry(0, 'Skipped', [password('s')]),
    entry(1, 'Added', [password('old', 'new')]),
    entry(3, 'Deep', [password('deep')]),
    entry(1, 'Revised', [password('older', 'newer'), password('kept'), password('further')]),
  ],
  skipped: [],
};
const revised = { entryId: newId(), fieldId: newId() };

let ada: TestPerson;
let bob: TestPerson;
let root: ImportTarget;
let known: ImportTarget;
let elsewhere: ImportTarget;
beforeAll(async () => {
  [ada, bob] = await somePeople(2);
  const make = async (): Promise<ImportTarget> => {
    const members = [
      { identity: ada.keyring.identity, role: 'admin' as const },
      { identity: bob.keyring.identity, role: 'member' as const },
    ];
    const { groupKey } = await createGroupKeys(ada.keyring, { groupId: newId(), members, now: NOW });
    return { groupKey, members };
  };
  [root, known, elsewhere] = [await make(), await make(), await make()];
});

const planOf = (change: Partial<ImportPlan> = {}): ImportPlan => ({
  groups: [root, known, null, null],
  elsewhere: new Map([[elsewhere.groupKey.groupId, elsewhere]]),
  entries: [
    'skip',
    'add',
    'add',
    {
      entryGroupId: elsewhere.groupKey.groupId,
      entryId: revised.entryId,
      fields: [{ fieldId: revised.fieldId, baseRev: 7 }, 'skip', 'add'],
    },
  ],
  sameMembers: true,
  ...change,
});
const prepare = (plan: ImportPlan) => prepareImportInto(ada.keyring, tree, plan, { now: NOW });

test('the head names what is written to, and new groups have the members of the group above', async () => {
  const { head } = await prepare(planOf());
  const [made, deeper] = head.groups;
  expect(head.into).toBe(root.groupKey.groupId);
  expect(head.groups.map(({ name, parent_entry_group_id }) => [name, parent_entry_group_id])).toEqual([
    ['New', known.groupKey.groupId],
    ['Newer', made?.entry_group_id],
  ]);
  for (const { grants } of head.groups) {
    expect(grants.map(({ user_id, role }) => [user_id, role])).toEqual([
      [ada.keyring.userId, 'admin'],
      [bob.keyring.userId, 'member'],
    ]);
  }
  expect(head.targets).toEqual(
    [root, known, elsewhere].map(({ groupKey: { groupId } }) => ({ entry_group_id: groupId, gk_version: 1 })),
  );
  expect(head.entries.map(({ title, entry_group_id }) => [title, entry_group_id])).toEqual([
    ['Added', known.groupKey.groupId],
    ['Deep', deeper?.entry_group_id],
  ]);
  expect(head.existing_entries).toEqual([{ entry_id: revised.entryId, entry_group_id: elsewhere.groupKey.groupId }]);
  expect(head.fields).toBe(3);
  const alone = await prepare(planOf({ sameMembers: false }));
  for (const { grants } of alone.head.groups)
    expect(grants.map(({ user_id }) => user_id)).toEqual([ada.keyring.userId]);
});

test('the newest value becomes the next revision of its field, and new fields keep their history', async () => {
  const { work } = await prepare(planOf());
  const { fields, updates } = await sealPortion(work);
  expect(updates).toEqual([
    {
      entry_group_id: elsewhere.groupKey.groupId,
      entry_id: revised.entryId,
      field_id: revised.fieldId,
      base_rev: 7,
      type: 'password',
      title: 'Password',
      login: 'ada',
      revision: expect.objectContaining({ rev: 8, gk_version: 1 }),
    },
  ]);
  const revision = updates[0]?.revision;
  if (revision === undefined) throw new Error('A revision was sealed');
  const place = { entryGroupId: elsewhere.groupKey.groupId, ...revised, type: 'password', rev: 8 } as const;
  const opened = await openField(elsewhere.groupKey, place, {
    rev: 8,
    gk_version: 1,
    cek_wrapped_base64: revision.cek_wrapped,
    encrypted_value_base64: revision.value_encrypted,
  });
  expect(opened).toMatchObject({ value: new TextEncoder().encode('newer') });
  expect(fields.map(({ entry_id, revisions }) => [entry_id === revised.entryId, revisions.length])).toEqual([
    [false, 2],
    [false, 1],
    [true, 1],
  ]);
});

test('a plan of another tree, an unopened group or a field revised twice is refused', async () => {
  const twice = { fieldId: revised.fieldId, baseRev: 7 };
  const how = { entryGroupId: elsewhere.groupKey.groupId, entryId: revised.entryId };
  for (const change of [
    { groups: [root, known, null] },
    { groups: [null, known, null, null] },
    { entries: [] },
    { elsewhere: new Map() },
    { entries: ['skip', 'skip', 'skip', { ...how, fields: ['add'] }] },
    { entries: ['skip', 'skip', 'skip', { ...how, fields: [twice, twice, 'skip'] }] },
  ] satisfies Partial<ImportPlan>[]) {
    await expect(prepare(planOf(change))).rejects.toBeInstanceOf(RangeError);
  }
});
