/** Several values in one call, each recorded. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLIENT_HEADER, clientText } from '@passwordbroker/core/contract/client';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { FACES, RELEASE_PURPOSES } from '@passwordbroker/core/contract/faces';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { exporting } from '../exports/testing/exporting.ts';
import { giveRole, putEntry, putField } from '../operations/testing/vault.ts';
import { createSealedPlace, sealedField, type SealedPlace } from '../testing/sealed-place.ts';
import { type SignedIn, startTestApp, type TestApp } from '../testing/test-app.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { putIntoTrash } from '../testing/trash.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
let hidden: SealedPlace;
let ids: string[];
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  place = await createSealedPlace(ada, { name: 'Ops', entry: 'Mail' });
  hidden = await createSealedPlace(ada, { name: 'Secret', entry: 'Mail' });
  ids = [await newField(place), await newField(place), await newField(hidden)];
  await giveRole(app.deps, place.g, bob.userId, 'member');
});
afterAll(() => app.stop());

const newField = async (at: SealedPlace) =>
  (await ada.call(fields.create, { params: at, body: await sealedField(at) })).field_id;
const at = ({ g, e }: SealedPlace, field_id: string) => ({ entry_group_id: g, entry_id: e, field_id });
type BodyInput = BodyOf<typeof fields.release>;
type Body = Omit<BodyInput, 'purpose'> & Partial<Pick<BodyInput, 'purpose'>>;
const ask = (who: SignedIn, body: Body, headers: Record<string, string> = {}) =>
  callWithProof(app, who, fields.release, { params: {}, body: { purpose: 'show', ...body }, headers });
const opened = (fieldId: string) => exporting(app).opened(fieldId);

test('answers what single envelopes answer, in order, and records what for, and with which program', async () => {
  const [first = '', second = ''] = ids;
  const run = { purpose: 'run', label: 'deploy 41' } as const;
  const { releases } = await ask(bob, { fields: [at(place, second), at(place, first)], ...run });
  expect(releases.map(({ field_id }) => field_id)).toEqual([second, first]);
  for (const released of releases)
    expect(await bob.call(fields.envelope, { params: { ...place, f: released.field_id } })).toEqual(released);
  expect(await opened(first)).toEqual(['bob 1 run deploy 41 api', 'bob 1 show null api']);
  const [, row] = await bob.call(fields.history, { params: { ...place, f: first } });
  expect(row).toMatchObject({ event_type: 'decrypted', ...run, via: 'api', user: { name: 'bob' } });
  const listed = await bob.call(groups.history, { params: { g: place.g }, query: { event_type: 'decrypted' } });
  expect(listed.filter((one) => one.label === 'deploy 41')).toMatchObject([run, run]);
});

test.each(FACES)('the program that names itself %s is kept with each purpose', async (face) => {
  const field = await newField(place);
  const headers = { [CLIENT_HEADER]: clientText(face) };
  for (const purpose of RELEASE_PURPOSES) await ask(ada, { fields: [at(place, field)], purpose }, headers);
  for (const purpose of ['show', 'copy', 'fill'] as const)
    await ada.call(fields.envelope, { params: { ...place, f: field }, query: { purpose }, headers });
  expect(await opened(field)).toEqual(
    [...RELEASE_PURPOSES, 'show', 'copy', 'fill'].map((purpose) => `ada 1 ${purpose} null ${face}`),
  );
  const rows = await ada.call(fields.history, { params: { ...place, f: field } });
  expect(rows.filter(({ via }) => via === face)).toHaveLength(RELEASE_PURPOSES.length + 3);
  expect(rows.at(-1)).not.toHaveProperty('purpose');
  expect(rows.at(-1)).not.toHaveProperty('via');
});

test('rows of former releases say nothing of purpose and program', async () => {
  const field = await newField(place);
  const row = { field_id: field, event_type: 'decrypted', rev: 1, user_id: ada.userId, created_at: 0 } as const;
  const { newId } = app.deps;
  await app.deps.db.transact((tx) =>
    tx
      .insertInto('field_history')
      .values([
        { ...row, field_edit_log_id: newId() },
        { ...row, field_edit_log_id: newId(), purpose: 'export', label: 'csv-table' },
      ])
      .execute(),
  );
  const [exported, shown] = await ada.call(fields.history, { params: { ...place, f: field } });
  expect(exported).toMatchObject({ purpose: 'export', label: 'csv-table' });
  expect(exported).not.toHaveProperty('via');
  for (const member of ['purpose', 'label', 'via']) expect(shown).not.toHaveProperty(member);
});

test('one refusal releases and records nothing', async () => {
  const [first = '', , third = ''] = ids;
  const before = await opened(first);
  const refused = (field: ReturnType<typeof at>) => ask(bob, { fields: [at(place, first), field] });
  await expect(refused(at(hidden, third))).rejects.toMatchObject({ code: 'forbidden', details: { index: 1 } });
  await expect(refused(at(place, third))).rejects.toMatchObject({ code: 'not_found', details: { index: 1 } });
  await expect(refused({ ...at(place, first), entry_id: hidden.e })).rejects.toMatchObject({ code: 'not_found' });
  const trashed = await newField(place);
  await putIntoTrash(app, 'field', trashed);
  await expect(refused(at(place, trashed))).rejects.toMatchObject({ code: 'not_found', details: { index: 1 } });
  expect(await opened(first)).toEqual(before);
  expect(await opened(third)).toEqual([]);
});

test('takes 1 to 100 fields and a short name', async () => {
  const [first = ''] = ids;
  const field = at(place, first);
  await expect(ask(bob, { fields: [] })).rejects.toMatchObject({ code: 'validation' });
  await expect(ask(bob, { fields: Array(101).fill(field) })).rejects.toMatchObject({ code: 'validation' });
  await expect(ask(bob, { fields: [field], label: 'x'.repeat(101) })).rejects.toMatchObject({ code: 'validation' });
  const before = await opened(first);
  const { releases } = await ask(bob, { fields: Array(100).fill(field) });
  expect(releases).toHaveLength(100);
  expect(new Set(releases.map((one) => JSON.stringify(one))).size).toBe(1);
  // Doubles are one reveal.
  expect(await opened(first)).toHaveLength(before.length + 1);
});

test('answers and records only the first fields once these have 8 MiB, but judges all', async () => {
  const entry = await putEntry(app.deps, place.g, 'Large');
  const large: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    const field = await putField(app.deps, entry, 'Large');
    const value = Buffer.alloc(5 * 1024 * 1024);
    await app.deps.db.transact((tx) =>
      tx.updateTable('field_revisions').set({ value }).where('field_id', '=', field).execute(),
    );
    large.push(field);
  }
  const wanted = large.map((field) => at({ ...place, e: entry }, field));
  const { releases } = await ask(bob, { fields: wanted });
  expect(releases.map(({ field_id }) => field_id)).toEqual(large.slice(0, 2));
  for (const [index, field] of large.entries()) expect(await opened(field)).toHaveLength(index < 2 ? 1 : 0);
  const [, , third = ''] = ids;
  const refused = ask(bob, { fields: [...wanted, at(hidden, third)] });
  await expect(refused).rejects.toMatchObject({ code: 'forbidden', details: { index: 3 } });
  expect(await opened(large[0] ?? '')).toHaveLength(1);
});

const HOSTILE = ['\n', '\r', '\u001b', '\u0085', '\u2028', '\u202e', '\u2066', '\u200f', '\u061c', '\ud800'];

test('a label is one line that changes no other text, and a purpose is one of six', async () => {
  const [first = ''] = ids;
  const before = await opened(first);
  const field = at(place, first);
  for (const sign of HOSTILE) {
    const refused = ask(bob, { fields: [field], purpose: 'run', label: `deploy${sign}root` });
    await expect(refused).rejects.toMatchObject({ code: 'validation', message: 'The label is malformed.' });
  }
  await expect(ask(bob, { fields: [field], label: ' ' })).rejects.toMatchObject({ code: 'validation' });
  for (const purpose of ['export', 'Show', '', undefined, 1, ['show']]) {
    const body = { fields: [field], purpose };
    await expect(callWithProof(app, bob, fields.release, { params: {}, body })).rejects.toMatchObject({
      code: 'validation',
    });
  }
  for (const purpose of ['run', 'compare', 'site', 'export', 'x']) {
    const path = `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields/${first}/envelope`;
    expect((await bob.request({ path: `${path}?purpose=${purpose}` })).status).toBe(422);
  }
  expect(await opened(first)).toEqual(before);
  const longest = '\u{1f511}'.repeat(50);
  await ask(bob, { fields: [field], purpose: 'run', label: `  ${longest} ` });
  expect((await opened(first)).at(-1)).toBe(`bob 1 run ${longest} api`);
});
