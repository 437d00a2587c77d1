/** Batches for existing groups that no honest client makes (IM11). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { v7 } from 'uuid';
import type { ImportBatch } from '@passwordbroker/core/contract/entries/import';
import { everything } from '../operations/testing/vault.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { intoBatch, intoScene, type IntoScene } from './testing/into-batch.ts';
import { batchForm, type TestBatch } from './testing/sealed-batch.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let cyn: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, cyn] = [await app.signUp('ada'), await app.signUp('bob'), await app.signUp('cyn')];
});
afterAll(() => app.stop());

const send = (batch: TestBatch) => bob.request({ path: '/passwordBroker/api/import', multipart: batchForm(batch) });
const change = (made: TestBatch, members: Partial<ImportBatch>): TestBatch => ({
  ...made,
  batch: { ...made.batch, ...members },
});
type Spoil = (scene: IntoScene, made: TestBatch) => Promise<TestBatch> | TestBatch;

const first = <T>(list: readonly T[] | undefined): T => {
  const [one] = list ?? [];
  if (one === undefined) throw new Error('The batch has one');
  return one;
};

/** Batches that no honest client makes. */
const HOSTILE: readonly (readonly [string, Spoil, object])[] = [
  ['no targets', (_, made) => change(made, { targets: [] }), { status: 422, errors: ['batch.targets'] }],
  [
    'a target twice',
    (_, made) => change(made, { targets: [...(made.batch.targets ?? []), first(made.batch.targets)] }),
    { status: 422, errors: ['batch.targets.2.entry_group_id'] },
  ],
  [
    'into a group that is no target',
    (_, made) => change(made, { into: v7() }),
    { status: 422, errors: ['batch.into'] },
  ],
  [
    'a target that does not exist',
    (_, made) => change(made, { targets: [...(made.batch.targets ?? []), { entry_group_id: v7(), gk_version: 1 }] }),
    { status: 404 },
  ],
  [
    'a group of other people as target',
    async (_, made) => {
      const { g } = await createSealedPlace(cyn);
      return change(made, { targets: [...(made.batch.targets ?? []), { entry_group_id: g, gk_version: 1 }] });
    },
    { status: 403 },
  ],
  [
    'an entry in a group that is no target',
    ({ root }, made) => change(made, { targets: made.batch.targets?.filter(({ entry_group_id: g }) => g === root.g) }),
    { status: 422, errors: ['batch.entries.1.entry_group_id'] },
  ],
  [
    'a group without a group above',
    (_, made) => {
      const groupsOf = made.batch.groups.map(({ parent_entry_group_id: _parent, ...group }) => group);
      return change(made, { groups: groupsOf });
    },
    { status: 422, errors: ['batch.groups.0.parent_entry_group_id'] },
  ],
  [
    'groups in a circle',
    (_, made) => {
      const [a, b] = made.batch.groups;
      if (a === undefined || b === undefined) throw new Error('The batch has two');
      return change(made, { groups: [{ ...a, parent_entry_group_id: b.entry_group_id }, b] });
    },
    { status: 422, errors: ['batch.groups.0.parent_entry_group_id'] },
  ],
  [
    'a group under its own id',
    (_, made) => {
      const group = first(made.batch.groups);
      return change(made, { groups: [{ ...group, parent_entry_group_id: group.entry_group_id }] });
    },
    { status: 422, errors: ['batch.groups.0.parent_entry_group_id'] },
  ],
  [
    'a new group with the id of a target',
    ({ root }, made) =>
      change(made, { groups: [{ ...first(made.batch.groups), entry_group_id: root.g }], entries: [], fields: [] }),
    { status: 422 },
  ],
  [
    'a new entry with the id of another one',
    async (_, made) => {
      const { e } = await createSealedPlace(cyn);
      const [one, ...others] = made.batch.entries;
      if (one === undefined) throw new Error('The batch has entries');
      return change(made, { entries: [{ ...one, entry_id: e }, ...others], fields: [] });
    },
    { status: 409, code: 'id_taken' },
  ],
  [
    'an existing entry twice',
    (_, made) => {
      const existing = made.batch.existing_entries ?? [];
      return change(made, { existing_entries: [...existing, ...existing] });
    },
    { status: 422, errors: ['batch.existing_entries.1.entry_id'] },
  ],
  [
    'an entry of other people as existing one',
    async ({ root }, made) => {
      const { e } = await createSealedPlace(cyn);
      const existing = [...(made.batch.existing_entries ?? []), { entry_id: e, entry_group_id: root.g }];
      return change(made, { existing_entries: existing });
    },
    { status: 404 },
  ],
  [
    'a new field in an entry that it does not name',
    (_, made) => {
      const added = { ...first(made.batch.fields), field_id: v7(), entry_id: v7() };
      return change(made, { fields: [...made.batch.fields, added] });
    },
    { status: 422, errors: ['batch.fields.5.entry_id'] },
  ],
  [
    'a new field in an entry that only updates name',
    ({ root }, made) => {
      const own = made.batch.fields.filter(({ entry_id }) => entry_id === root.e);
      const update = first(made.batch.updates);
      const stale = { ...update, base_rev: 2, revision: { ...update.revision, rev: 3 } };
      return change(made, { existing_entries: [], fields: own, updates: [stale] });
    },
    { status: 422, errors: ['batch.fields.0.entry_id'] },
  ],
  [
    'the same field updated twice',
    (_, made) => change(made, { updates: [...(made.batch.updates ?? []), ...(made.batch.updates ?? [])] }),
    { status: 422, errors: ['batch.updates.1.field_id'] },
  ],
  [
    'an update of a field in another entry',
    async (scene, made) => {
      const { e } = await createSealedPlace(cyn);
      const update = { ...first(made.batch.updates), entry_id: e };
      return change(made, { updates: [update], existing_entries: made.batch.existing_entries });
    },
    { status: 404 },
  ],
  [
    'an update in a group without role',
    async (_, made) => {
      const { g } = await createSealedPlace(cyn);
      return change(made, { updates: [{ ...first(made.batch.updates), entry_group_id: g }] });
    },
    { status: 422, errors: ['batch.updates.0.entry_group_id'] },
  ],
  [
    'an update of another type',
    (_, made) => change(made, { updates: [{ ...first(made.batch.updates), type: 'note' }] }),
    { status: 422, errors: ['batch.updates'] },
  ],
  [
    'an update that skips a revision',
    (_, made) => {
      const update = first(made.batch.updates);
      return change(made, { updates: [{ ...update, revision: { ...update.revision, rev: 7 } }] });
    },
    { status: 422, errors: ['batch.updates.0.revision.rev'] },
  ],
  [
    'an update under another key',
    (_, made) => {
      const update = first(made.batch.updates);
      return change(made, { updates: [{ ...update, revision: { ...update.revision, gk_version: 2 } }] });
    },
    { status: 422, errors: ['batch.updates.0.revision.gk_version'] },
  ],
  [
    'grants for a person who is no member',
    async (_, made) => {
      const [group, ...others] = made.batch.groups;
      if (group === undefined) throw new Error('The batch has groups');
      const grants = [...group.grants, { ...first(group.grants), user_id: cyn.userId }];
      return change(made, { groups: [{ ...group, grants }, ...others] });
    },
    { status: 409, code: 'rewrap_set_mismatch' },
  ],
  [
    'too many fields for an entry',
    (_, made) => {
      const note = made.batch.fields.find(({ type }) => type === 'note');
      if (note === undefined) throw new Error('The batch has a note');
      const many = Array.from({ length: 500 }, () => ({ ...note, field_id: v7() }));
      return change(made, { fields: [...made.batch.fields, ...many] });
    },
    { status: 422, errors: ['batch.fields'] },
  ],
];

describe('IM11: a hostile batch is refused:', () => {
  test.each(HOSTILE)('%s', async (_, spoil, problem) => {
    const scene = await intoScene(app, [ada, bob]);
    const spoilt = await spoil(scene, await intoBatch(bob, scene));
    const before = await everything(app.deps);
    const answer = await send(spoilt);
    const told = answer.json<{ code: string; errors?: object }>();
    const { code, errors = {} } = told;
    expect({ status: answer.status, code, errors: Object.keys(errors) }, answer.text).toMatchObject(problem);
    expect(await everything(app.deps)).toBe(before);
  });
});
