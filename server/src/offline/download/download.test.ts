/** The full copy: its contents, access and logging. */
import { brotliDecompressSync } from 'node:zlib';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createToken } from '@passwordbroker/core/contract/account/credentials';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as offline from '@passwordbroker/core/contract/account/offline';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField } from '@passwordbroker/core/domain/fields/field';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { sharing } from '../../members/testing/sharing.ts';
import { auditOf } from '../../operations/testing/vault.ts';
import { type SealedPlace, createSealedPlace, sealedField, sealedFileField } from '../../testing/sealed-place.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { putIntoTrash } from '../../testing/trash.ts';
import { deviceOf } from '../testing/device.ts';
import { settled } from '../testing/settled.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
/** A group without Bob. */
let hers: SealedPlace;

const CONTENTS: readonly FieldContent[] = [
  { type: 'password', title: 'b', login: 'ada', value: utf8('s3cr3t') },
  { type: 'password', title: 'a', login: '', value: utf8('other') },
  { type: 'link', title: 'Website', value: utf8('https://example.org') },
  { type: 'note', title: 'Note', value: utf8('remember') },
];

beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  hers = await createSealedPlace(ada, { name: 'canary of hers', entry: 'canary entry' });
  place = await createSealedPlace(ada, { name: 'Shared', entry: 'Mail', parent: hers.g });
  await sharing(app).add(ada, place.g, bob, 'member');
  for (const content of CONTENTS)
    await ada.call(fields.create, { params: place, body: await sealedField(place, content) });
  const { members, body } = await sealedFileField(place);
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
  multipart.append('file', new Blob([body]), 'sealed');
  await ada.call(fields.create, { params: place, multipart });
  await ada.call(fields.create, { params: hers, body: await sealedField(hers) });
});
afterAll(() => app.stop());

const PATH = offline.entryGroupsWithFields.path;

test('a copy has the data of the online calls, for own groups only', async () => {
  const answer = await bob.request({ path: PATH });
  expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
    200,
    'application/json',
    'no-store',
  ]);
  expect(answer.headers[offline.EXPECTED_BYTES_HEADER]).toBe(String(answer.bytes.length));
  const { timestamp, data } = answer.json<offline.OfflineAnswer>();
  expect(timestamp).toBe(Math.floor(app.clock.now() / 1000));
  // The response has no members beyond the contract, at any depth.
  expect(offline.OfflineAnswer.parse(answer.json())).toEqual(answer.json());

  const [group, ...others] = data?.groups ?? [];
  expect(others).toEqual([]);
  const { entryGroup, admins } = await bob.call(groups.get, { params: { g: place.g } });
  const roster = await bob.call(groups.roster, { params: { g: place.g } });
  expect(group).toMatchObject({ ...entryGroup, admins, grants: roster.grants, rosters: roster.rosters });
  expect(data?.trees).toEqual((await bob.call(groups.tree)).trees);
  // Only the name of the inaccessible parent group appears, in the tree.
  expect(answer.text).not.toContain('canary entry');
  expect(answer.text.split(hers.e)).toHaveLength(1);

  const [entry] = group?.entries ?? [];
  const listed = await bob.call(fields.listAll, { params: place });
  expect(entry?.passwords.map(({ title }) => title)).toEqual(['a', 'b']);
  const all = [
    ...(entry?.passwords ?? []),
    ...(entry?.links ?? []),
    ...(entry?.notes ?? []),
    ...(entry?.files ?? []),
    ...(entry?.TOTPs ?? []),
  ];
  expect(all).toHaveLength(listed.length);
  for (const [at, field] of all.entries()) {
    expect(field).toMatchObject(listed[at] ?? {});
    const { field_id: f } = field;
    expect(field).toMatchObject(await bob.call(fields.envelope, { params: { ...place, f } }));
  }
});

test('a copy opens with own keys', async () => {
  const { data } = await bob.call(offline.entryGroupsWithFields);
  const group = data?.groups[0];
  const field = group?.entries[0]?.passwords[1];
  const keys = await sharing(app).keys(bob, place.g);
  const key = keys.get(field?.gk_version ?? 0);
  if (key === undefined || field === undefined) throw new Error('no key');
  const at = { entryGroupId: place.g, entryId: place.e, fieldId: field.field_id, type: field.type, rev: field.rev };
  const content = await openField(key, at, field);
  expect(content.type === 'password' && Buffer.from(content.value).toString()).toBe('s3cr3t');
});

test('a copy omits the trash', async () => {
  const gone = await createSealedPlace(ada, { name: 'canary gone', entry: 'canary of a group' });
  const left = await createSealedPlace(ada, { name: 'Left', entry: 'canary of an entry' });
  const { field_id } = await ada.call(fields.create, {
    params: hers,
    body: await sealedField(hers, { type: 'note', title: 'canary of a field', value: utf8('x') }),
  });
  await putIntoTrash(app, 'entry_group', gone.g);
  await putIntoTrash(app, 'entry', left.e);
  await putIntoTrash(app, 'field', field_id);
  const { text } = await ada.request({ path: PATH });
  for (const canary of ['canary gone', 'canary of a group', 'canary of an entry', 'canary of a field']) {
    expect(text).not.toContain(canary);
  }
});

test('a copy is compressed if the client accepts that', async () => {
  const plain = await bob.request({ path: PATH });
  const packed = await bob.request({ path: PATH, headers: { 'accept-encoding': 'gzip, deflate, br' } });
  expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual(['br', 'accept-encoding']);
  expect(packed.headers['content-length']).toBe(String(packed.bytes.length));
  const unpacked = brotliDecompressSync(packed.bytes);
  expect(packed.headers[offline.EXPECTED_BYTES_HEADER]).toBe(String(unpacked.length));
  const withoutCursor = (text: string) => text.replace(/"cursor":"[^"]*"/, '');
  expect(withoutCursor(unpacked.toString())).toBe(withoutCursor(plain.text));
});

test('a download is logged with its application and counts, and not in any field’s history', async () => {
  const history = () => bob.call(groups.history, { params: { g: place.g } });
  const before = await history();
  const device = await deviceOf(bob);
  await settled(app);
  await device.fetch();
  expect(await history()).toEqual(before);
  await ada.call(groups.rename, { params: { g: place.g }, body: { name: 'Renamed' } });
  await device.follow();
  const told = await auditOf(app.deps, 'offline_downloaded', device.applicationId);
  expect(
    told.map(({ target_type, user_id, details }) => [target_type, user_id, JSON.parse(details ?? '') as object]),
  ).toEqual([
    ['user_application', bob.userId, { entry_groups: 1, entries: 1, fields: 5, delta: false }],
    ['user_application', bob.userId, { entry_groups: 1, entries: 0, fields: 0, delta: true }],
  ]);
});

test('an unchanged copy is not logged, and its cursor stays valid', async () => {
  const { applicationId: user_application_id } = await deviceOf(bob);
  const ask = (since: string) =>
    bob.call(offline.entryGroupsWithFields, { query: { user_application_id, ...(since === '' ? {} : { since }) } });
  const onRecord = async () => (await auditOf(app.deps, 'offline_downloaded', user_application_id)).length;
  const copies = () =>
    app.deps.db.read.selectFrom('offline_copies').select(['copy_id', 'stamp']).orderBy('copy_id').execute();
  // On PostgreSQL a delta may repeat changes from concurrent transactions.
  await vi.waitFor(async () => {
    const { cursor: since } = await ask('');
    const [before, stored] = [await onRecord(), await copies()];
    const nothing = await ask(since);
    expect(nothing).toMatchObject({ delta: { trees: null, groups: [], gone_groups: [], gone_entries: [] } });
    expect([nothing.cursor, await onRecord()]).toEqual([since, before]);
    expect((await copies()).map(({ copy_id }) => copy_id)).toEqual(stored.map(({ copy_id }) => copy_id));
    const stampIn = (rows: typeof stored) => Number(rows.find(({ copy_id }) => copy_id === since)?.stamp);
    expect(stampIn(await copies())).toBeGreaterThanOrEqual(stampIn(stored));

    await ada.call(groups.rename, { params: { g: place.g }, body: { name: v7() } });
    const something = await ask(since);
    expect(something.delta?.groups).toHaveLength(1);
    expect([something.cursor === since, await onRecord()]).toEqual([false, before + 1]);
  }, 20_000);
});

test('a download needs the offline scope (T74)', async () => {
  const { token } = await bob.call(createToken, { body: { token_name: 'reader', scopes: ['read', 'write'] } });
  const answer = await app.guest().request({ path: PATH, headers: { authorization: `Bearer ${token}` } });
  expect([answer.status, answer.json()['code']]).toEqual([403, 'forbidden']);
});

test('another person’s application is refused, an unknown one not found', async () => {
  const { applicationId: user_application_id } = await deviceOf(ada);
  await expect(bob.call(offline.entryGroupsWithFields, { query: { user_application_id } })).rejects.toMatchObject({
    code: 'forbidden',
  });
  const unknown = '00000000-0000-4000-8000-000000000000';
  await expect(
    bob.call(offline.entryGroupsWithFields, { query: { user_application_id: unknown } }),
  ).rejects.toMatchObject({ code: 'not_found' });
});
