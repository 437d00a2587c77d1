/** Several values in one call, each recorded. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/entries/fields';
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
const ask = (who: SignedIn, body: Parameters<typeof callWithProof<typeof fields.release>>[3]['body']) =>
  callWithProof(app, who, fields.release, { params: {}, body });
const opened = (fieldId: string) => exporting(app).opened(fieldId);

test('answers what single envelopes answer, in order, and records each with the program', async () => {
  const [first = '', second = ''] = ids;
  const { releases } = await ask(bob, { fields: [at(place, second), at(place, first)], used_by: 'deploy 41' });
  expect(releases.map(({ field_id }) => field_id)).toEqual([second, first]);
  for (const released of releases)
    expect(await bob.call(fields.envelope, { params: { ...place, f: released.field_id } })).toEqual(released);
  expect(await opened(first)).toEqual(['bob 1 run deploy 41', 'bob 1 null null']);
  const [, row] = await bob.call(fields.history, { params: { ...place, f: first } });
  expect(row).toMatchObject({ event_type: 'decrypted', used_by: 'deploy 41', user: { name: 'bob' } });
});

test('without a program nothing is said of one', async () => {
  const [first = ''] = ids;
  await ask(ada, { fields: [at(place, first)] });
  expect((await opened(first)).at(-1)).toBe('ada 1 null null');
  const [row] = await ada.call(fields.history, { params: { ...place, f: first } });
  expect(row).not.toHaveProperty('used_by');
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
  await expect(ask(bob, { fields: [field], used_by: 'x'.repeat(101) })).rejects.toMatchObject({ code: 'validation' });
  expect((await ask(bob, { fields: Array(100).fill(field) })).releases).toHaveLength(100);
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

test('a program is named in one line', async () => {
  const [first = ''] = ids;
  const refused = ask(bob, { fields: [at(place, first)], used_by: 'deploy\nroot' });
  await expect(refused).rejects.toMatchObject({ code: 'validation' });
});
