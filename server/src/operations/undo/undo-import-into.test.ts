/** IM12: an import into existing groups is taken back as one; what others have changed since stays and is named. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { journal, restore, trash, undo } from '@passwordbroker/core/contract/entries/operations';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField, sealField } from '@passwordbroker/core/domain/fields/field';
import { batchForm, type TestBatch } from '../../import/testing/sealed-batch.ts';
import { intoBatch, intoScene, type IntoScene } from '../../import/testing/into-batch.ts';
import { sealedField } from '../../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { sweep } from '../../system/housekeeping.ts';
import { listOwnImported } from './imported-repository.ts';
import { auditOf, countStatements, everything, giveRole, makeGroup, putEntry } from '../testing/vault.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());

interface Done {
  readonly scene: IntoScene;
  readonly made: TestBatch;
  readonly operationId: string;
}

async function imported(word = 'Imported'): Promise<Done> {
  const scene = await intoScene(app, [ada, bob]);
  const made = await intoBatch(bob, scene, { word });
  const answer = await bob.request({ path: '/passwordBroker/api/import', multipart: batchForm(made) });
  expect(answer.status, answer.text).toBe(201);
  return { scene, made, operationId: answer.json<{ operation_id: string }>().operation_id };
}

const placeOf = ({ scene: { root, field } }: Done) => ({ g: root.g, e: root.e, f: field });
const pathOf = ({ scene: { root, field } }: Done, rev: number) => {
  return { entryGroupId: root.g, entryId: root.e, fieldId: field, type: 'password' as const, rev };
};

/** The password before the import, sealed anew, as a client makes it from the history. */
async function former(done: Done, rev = 3) {
  const revision = await sealField(done.scene.root.groupKey, pathOf(done, rev), OLD);
  return { field_id: done.scene.field, base_rev: rev - 1, revision };
}
const OLD = { type: 'password', title: 'Title', login: 'ada', value: utf8('s3cr3t') } as const;

const takeBack = ({ operationId }: Done, body: object, who = bob) => who.call(undo, { params: { operationId }, body });

async function present(done: Done): Promise<readonly [number, string]> {
  const params = placeOf(done);
  const { rev } = await ada.call(fields.get, { params });
  const content = await openField(
    done.scene.root.groupKey,
    pathOf(done, rev),
    await ada.call(fields.envelope, { params }),
  );
  return [rev, 'value' in content ? new TextDecoder().decode(content.value) : ''];
}
const titles = async ({ scene }: Done) =>
  (await ada.call(entries.listAll, { params: { g: scene.root.g } })).map(({ title }) => title).toSorted();

async function nextRevision(done: Done, rev: number): Promise<void> {
  const { field_id: _id, type: _type, ...sealed } = await sealedField(done.scene.root);
  await ada.call(fields.update, { params: placeOf(done), body: { ...sealed, rev, base_rev: rev - 1 } });
}

async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(act()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}

test('IM12: new things go to the trash, a value gets its former content and columns, and all of it is undone once', async () => {
  const done = await imported('Pflaume');
  const [row] = (await bob.call(journal)).data;
  expect(row).toMatchObject({ operation_id: done.operationId, kind: 'import', title: 'Root' });
  const undone = await takeBack(done, { updates: [await former(done)], leave: [] });
  expect(undone).toMatchObject({
    kind: 'delete',
    counts: { entry_groups: 2, entries: 3, fields: 5 },
    left: { entry_groups: 0, entries: 0, fields: 0 },
  });
  expect(await titles(done)).toEqual(['Entry']);
  expect(await present(done)).toEqual([3, 's3cr3t']);
  expect(await ada.call(fields.listAll, { params: placeOf(done) })).toHaveLength(1);
  expect((await ada.call(entries.search, { query: { q: 'pflaume' } })).total).toBe(0);
  const history = await ada.call(fields.history, { params: placeOf(done) });
  expect(history.filter(({ event_type }) => event_type === 'updated')).toHaveLength(2);
  const [event] = await auditOf(app.deps, 'entries_deleted', done.scene.root.g);
  expect(JSON.parse(event?.details ?? '{}')).toEqual({
    undo_of: done.operationId,
    entry_groups: 2,
    entries: 3,
    fields: 5,
    restored: 1,
  });
  await refused(() => takeBack(done, {}), { code: 'not_found' });
  expect((await bob.call(journal)).data.map(({ operation_id }) => operation_id)).not.toContain(done.operationId);
  // Groups, entries and fields are an item each, and come back.
  const items = (await bob.call(trash)).data.slice(0, 3);
  expect(items.map(({ kind }) => kind).toSorted()).toEqual(['entry', 'entry_group', 'field']);
  for (const { operation_id } of items) await bob.call(restore, { params: { operationId: operation_id }, body: {} });
  expect(await titles(done)).toEqual(['Entry', 'Pflaume first']);
  expect(await ada.call(fields.listAll, { params: placeOf(done) })).toHaveLength(3);
  await sweep(app.deps);
  const rows = app.deps.db.read.selectFrom('imported_rows').select('id').where('operation_id', '=', done.operationId);
  expect(await rows.execute()).toEqual([]);
});

test('IM12: without the former values it is refused, and the refusal names the fields', async () => {
  const done = await imported();
  const { root, field } = done.scene;
  const named = {
    entry_group_id: root.g,
    entry_id: root.e,
    field_id: field,
    type: 'password',
    base_rev: 2,
    is_changed: false,
  };
  await refused(() => takeBack(done, {}), { code: 'conflict', details: { fields: [named] } });
  // They can stay on purpose.
  await takeBack(done, { leave: [field] });
  expect(await present(done)).toEqual([2, 'another']);
});

test('IM12: a value that was changed since stays as it is, and must be named', async () => {
  const done = await imported();
  await nextRevision(done, 3);
  await refused(async () => takeBack(done, { updates: [await former(done)] }), {
    code: 'conflict',
    message: '1 value has been changed since.',
    details: { fields: [expect.objectContaining({ field_id: done.scene.field, is_changed: true })] },
  });
  await refused(async () => takeBack(done, { updates: [await former(done)], leave: [done.scene.field] }), {
    code: 'conflict',
  });
  await takeBack(done, { updates: [], leave: [done.scene.field] });
  expect((await ada.call(fields.get, { params: placeOf(done) })).rev).toBe(3);
  expect(await titles(done)).toEqual(['Entry']);
});

test('IM12: what others have changed since stays, with its number in the answer', async () => {
  const done = await imported('Bleibt');
  const [first, second, third] = done.made.batch.entries;
  if (first === undefined || second === undefined || third === undefined) throw new Error('Three entries');
  await ada.call(entries.rename, { params: { g: done.scene.root.g, e: first.entry_id }, body: { title: 'Adas' } });
  await ada.call(entries.create, { params: { g: third.entry_group_id }, body: { title: 'Beside' } });
  const undone = await takeBack(done, { updates: [await former(done)] });
  expect(undone.left).toEqual({ entry_groups: 1, entries: 1, fields: 0 });
  expect(await titles(done)).toEqual(['Adas', 'Entry']);
  expect(await ada.call(entries.listAll, { params: { g: done.scene.child.g } })).toHaveLength(1);
  expect(await ada.call(entries.listAll, { params: { g: third.entry_group_id } })).toHaveLength(2);
});

test('IM12: without the role of now things stay, and a value must be left', async () => {
  const done = await imported();
  for (const { g } of [done.scene.root, done.scene.child]) await giveRole(app.deps, g, bob.userId, 'member');
  await refused(async () => takeBack(done, { updates: [await former(done)] }), { code: 'conflict' });
  const undone = await takeBack(done, { leave: [done.scene.field] });
  expect(undone).toMatchObject({ counts: { entry_groups: 2, entries: 1 }, left: { entries: 2, fields: 2 } });
  expect(await present(done)).toEqual([2, 'another']);
});

test('IM12: a refusal names no place that the person cannot see any more', async () => {
  const done = await imported();
  const { root, field } = done.scene;
  await app.deps.db.transact((tx) =>
    tx.deleteFrom('group_members').where('entry_group_id', '=', root.g).where('user_id', '=', bob.userId).execute(),
  );
  const hidden = { entry_group_id: null, entry_id: null, type: null };
  const named = { ...hidden, field_id: field, base_rev: 2, is_changed: true };
  await refused(() => takeBack(done, {}), { code: 'conflict', details: { fields: [named] } });
});

test('many new groups need as many statements as one; the changed ones of them stay', async () => {
  const { operationId } = await imported();
  const tops = await Promise.all(['A', 'B', 'C', 'D'].map((name) => makeGroup(bob, name)));
  const below = await Promise.all(tops.map((top) => makeGroup(bob, 'Below', top)));
  const listed = async (ids: readonly string[]) => {
    const rows = ids.map((id) => ({ operation_id: operationId, kind: 'entry_group' as const, id, rev: null }));
    let own: Awaited<ReturnType<typeof listOwnImported>>['own'] = { tops: [], groups: [], entries: [], fields: [] };
    const statements = await countStatements(app.deps, ({ db }) =>
      db.transact(async (tx) => {
        await tx.deleteFrom('imported_rows').where('operation_id', '=', operationId).execute();
        await tx.insertInto('imported_rows').values(rows).execute();
        ({ own } = await listOwnImported(tx, operationId, bob.userId));
      }),
    );
    return { statements, tops: own.tops.toSorted(), groups: own.groups.toSorted() };
  };
  const [, b = ''] = tops;
  const [lowerOfFirst = '', lower = ''] = below;
  const one = await listed([b]);
  expect(one).toMatchObject({ tops: [b], groups: [b, lower].toSorted() });
  expect(await listed(tops)).toEqual({
    statements: one.statements,
    tops: tops.toSorted(),
    groups: [...tops, ...below].toSorted(),
  });
  // By nobody, so by another than Bob.
  await putEntry(app.deps, lower, 'Of others');
  expect(await listed([...tops, lowerOfFirst])).toMatchObject({
    tops: [...tops.filter((top) => top !== b), lowerOfFirst].toSorted(),
    groups: [...tops, ...below].filter((id) => id !== b && id !== lower).toSorted(),
  });
});

test('IM12: the former values may be as large as an import; larger ones undo nothing', async () => {
  const done = await imported();
  const one = await former(done);
  const large = { ...one, revision: { ...one.revision, value: 'A'.repeat(64 * 1024 * 1024) } };
  await refused(() => takeBack(done, { updates: [large] }), { code: 'payload_too_large' });
  const many = Array.from({ length: Math.ceil((17 * 1024 * 1024) / JSON.stringify(one).length) }, () => one);
  await takeBack(done, { updates: many });
  expect(await present(done)).toEqual([3, 's3cr3t']);
});

test('IM12: others cannot take it back, nor with values of other fields, revisions or keys', async () => {
  const done = await imported();
  const own = await former(done);
  await refused(() => takeBack(done, { updates: [own] }, ada), { code: 'forbidden' });
  const { root } = done.scene;
  const other = await sealedField(root);
  await ada.call(fields.create, { params: { g: root.g, e: root.e }, body: other });
  const bad: readonly (readonly [object, string])[] = [
    [{ ...own, field_id: other.field_id }, 'conflict'],
    [{ ...own, field_id: v7() }, 'conflict'],
    [{ ...own, base_rev: 1 }, 'validation'],
    [{ ...own, revision: { ...own.revision, rev: 4 } }, 'validation'],
    [{ ...own, revision: { ...own.revision, gk_version: 2 } }, 'key_version_conflict'],
    [{ ...own, revision: { ...own.revision, value_encrypted: 'AAAA' } }, 'bad_sealed_value'],
  ];
  for (const [update, code] of bad) await refused(() => takeBack(done, { updates: [update] }), { code });
  await refused(() => takeBack(done, { updates: [own, { ...own, field_id: other.field_id }] }), { code: 'validation' });
  await takeBack(done, { updates: [own] });
});

test('IM12: it ends after a day', async () => {
  const done = await imported();
  const own = await former(done);
  app.clock.advance(24 * 60 * 60 * 1000);
  bob = await app.signIn(bob);
  await refused(() => takeBack(done, { updates: [own] }, bob), { code: 'not_found' });
  await sweep(app.deps);
  const rows = app.deps.db.read.selectFrom('imported_rows').select('id').where('operation_id', '=', done.operationId);
  expect(await rows.execute()).toEqual([]);
});
