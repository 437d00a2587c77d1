/**
 * Storage quotas (T142): what counts for whom, concurrent writes, and that the sums equal what is
 * stored.
 */
import { request as httpRequest } from 'node:http';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as imports from '@passwordbroker/core/contract/entries/import';
import { purge, undo } from '@passwordbroker/core/contract/entries/operations';
import * as people from '@passwordbroker/core/contract/users/people';
import * as site from '@passwordbroker/core/contract/site/site';
import { storage } from '@passwordbroker/core/contract/site/system';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { rewrapField, sealFile } from '@passwordbroker/core/domain/fields/field';
import { ARCHIVE_PASSWORD, archiveOf } from '../backups/testing/archive.ts';
import { storedSizes } from '../db/schema/migrations/0019-stored-sizes.ts';
import { batchForm, sealedBatch } from '../import/testing/sealed-batch.ts';
import { storeUntil } from '../import/testing/staged.ts';
import { recoverFrom } from '../recovery/recover.ts';
import { joinGroup } from '../testing/join-group.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { createEntryIn, createSealedPlace, sealedField, sealedFileField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { listBodies } from '../testing/test-bodies.ts';
import { callWithProof } from '../testing/test-proof.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  place = await createSealedPlace(ada);
  await joinGroup(app, place.g, bob, 'moderator');
});
afterEach(() => app.stop());

const limit = (body: { readonly person_quota_mib?: number; readonly site_quota_mib?: number }) =>
  ada.call(site.changeLimits, { body });

function formOf(members: object, body: Uint8Array<ArrayBuffer>): FormData {
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
  multipart.append('file', new Blob([body]), 'sealed');
  return multipart;
}

async function upload(who: SignedIn, bytes: number, e = place.e) {
  const { members, body } = await sealedFileField({ ...place, e }, new Uint8Array(bytes));
  const path = fillPath(fields.create.path, { ...place, e });
  const answer = await who.request({ path, multipart: formOf(members, body) });
  return { status: answer.status, problem: answer.json(), f: members.field_id, size: body.length };
}

async function replaceFile(who: SignedIn, f: string, baseRev: number, bytes: number) {
  const { body, secret } = await sealFile(f, { name: 'b', mime: '', bytes: new Uint8Array(bytes) });
  const members = await nextRevision(place, { fieldId: f, baseRev }, { type: 'file', title: 'B', file: secret });
  const path = fillPath(fields.update.path, { ...place, f });
  return who.request({ path, method: 'PUT', multipart: formOf(members, body) });
}

/** Renames the existing file. */
async function renameFile(who: SignedIn, f: string, baseRev: number, bytes: number) {
  const { secret } = await sealFile(f, { name: 'b', mime: '', bytes: new Uint8Array(bytes) });
  const members = await nextRevision(place, { fieldId: f, baseRev }, { type: 'file', title: 'C', file: secret });
  const path = fillPath(fields.update.path, { ...place, f });
  return who.request({ path, method: 'PUT', json: { ...members, keep_file: true } });
}

async function addNote(who: SignedIn, length: number): Promise<number> {
  const body = await sealedField(place, { type: 'note', title: 'Note', value: utf8('x'.repeat(length)) });
  return (await who.request({ path: fillPath(fields.create.path, place), json: body })).status;
}

async function remove(f: string): Promise<string> {
  const { operation_id } = await callWithProof(app, ada, fields.remove, { params: { ...place, f } });
  return operation_id;
}

/** Stored bytes of each person: recomputed from the revisions, and as stored. */
async function counted() {
  const rows = await app.deps.db.read
    .selectFrom('field_revisions')
    .select(['field_id', 'rev', 'created_by', 'body_sha256', 'body_size', 'value'])
    .orderBy('field_id')
    .orderBy('rev')
    .execute();
  const bytes = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    const isKept = before?.field_id === row.field_id && before.body_sha256 === row.body_sha256;
    const added = (row.value.length > KIB ? row.value.length : 0) + (isKept ? 0 : Number(row.body_size ?? 0));
    const userId = row.created_by ?? '';
    bytes.set(userId, (bytes.get(userId) ?? 0) + added);
  }
  return { ada: bytes.get(ada.userId) ?? 0, bob: bytes.get(bob.userId) ?? 0 };
}

async function kept() {
  const of = async ({ userId }: SignedIn) => (await ada.call(people.get, { params: { id: userId } })).storage_bytes;
  const found = await ada.call(people.search, { query: {} });
  const listed = found.data.map((user) => ('storage_bytes' in user ? user.storage_bytes : undefined));
  const each = { ada: await of(ada), bob: await of(bob) };
  expect(listed).toEqual([each.ada, each.bob]);
  const { stored_bytes } = await ada.call(storage);
  expect(stored_bytes).toBe(Number(each.ada) + Number(each.bob));
  return each;
}

async function hasNotDrifted(): Promise<{ readonly ada: number; readonly bob: number }> {
  const now = await counted();
  expect(await kept()).toEqual(now);
  return now;
}

test('the counted bytes equal the stored bytes after uploads, versions, notes, imports, trash, purge and recovery (T142)', async () => {
  const first = await upload(ada, 10 * KIB);
  const second = await upload(bob, 20 * KIB);
  expect(await hasNotDrifted()).toEqual({ ada: first.size, bob: second.size });
  // Each version of a file counts for its author.
  expect((await replaceFile(bob, first.f, 1, 5 * KIB)).status).toBe(200);
  const afterVersion = await hasNotDrifted();
  expect(afterVersion.bob).toBeGreaterThan(second.size + 5 * KIB);
  expect((await renameFile(ada, first.f, 2, 5 * KIB)).status).toBe(200);
  expect(await hasNotDrifted()).toEqual(afterVersion);
  expect([await addNote(ada, 100), await addNote(ada, 5000)]).toEqual([201, 201]);
  const afterNotes = await hasNotDrifted();
  expect(afterNotes.ada - afterVersion.ada).toBeGreaterThan(5000);
  expect(afterNotes.ada - afterVersion.ada).toBeLessThan(8000);

  const made = await sealedBatch(ada.keyring, app.clock.now(), 'Imported', 30 * KIB);
  const imported = await ada.call(imports.importFile, { multipart: batchForm(made) });
  expect((await hasNotDrifted()).ada - afterNotes.ada).toBeGreaterThan(30 * KIB);
  const keepass = new FormData();
  const binary = `<Binary><Key>a</Key><Value>${Buffer.alloc(9000).toString('base64')}</Value></Binary>`;
  const xml = `<KeePassFile><Root><Group><Entry>${binary}</Entry></Group></Root></KeePassFile>`;
  keepass.append('master_password', bob.masterPassword);
  keepass.append('file', new Blob([xml]), 'a.xml');
  expect((await bob.request({ path: '/import', multipart: keepass })).status).toBe(201);
  expect((await hasNotDrifted()).bob - afterNotes.bob).toBeGreaterThan(9000);

  const { operation_id: undone } = await ada.call(undo, { params: { operationId: imported.operation_id }, body: {} });
  const inTrash = await remove(first.f);
  const beforePurge = await hasNotDrifted();
  await ada.call(purge, { params: { operationId: undone } });
  await ada.call(purge, { params: { operationId: inTrash } });
  const afterPurge = await hasNotDrifted();
  expect(beforePurge.ada - afterPurge.ada).toBeGreaterThan(40 * KIB);
  expect(afterPurge.bob).toBeLessThan(beforePurge.bob);

  const other = await startTestApp();
  try {
    const path = await archiveOf(app);
    const origin = { address: '', agentHash: null, userAgent: '', client: null };
    await recoverFrom(other.deps, { path, password: ARCHIVE_PASSWORD, origin });
    const again = await other.signIn(ada);
    expect((await again.call(storage)).stored_bytes).toBe(afterPurge.ada + afterPurge.bob);
    // The migration fills the rows of an older database by the same rule.
    const rows = () => other.deps.db.read.selectFrom('stored_sizes').selectAll().orderBy('field_id').execute();
    const before = await rows();
    await other.deps.db.transact(async (tx) => {
      await tx.deleteFrom('stored_sizes').execute();
      await sql.raw(storedSizes.both.at(-1) ?? '').execute(tx);
    });
    expect(await rows()).toEqual(before);
  } finally {
    await other.stop();
  }
});

test('over the quota of a person nothing is stored until enough is purged; other people and small texts are not affected (T142)', async () => {
  await limit({ person_quota_mib: 1 });
  const first = await upload(bob, 600 * KIB);
  expect(first.status).toBe(201);
  const before = await listBodies(app);
  const refused = await upload(bob, 600 * KIB);
  expect([refused.status, refused.problem]).toMatchObject([
    507,
    {
      code: 'quota_exceeded',
      message: expect.stringMatching(/^You have used 61\d kB of 1\.05 MB, .*this needs 61\d kB\. /),
      details: { scope: 'person', limit: MIB },
    },
  ]);
  expect((await replaceFile(bob, first.f, 1, 600 * KIB)).status).toBe(507);
  expect(await listBodies(app)).toEqual(before);
  expect((await renameFile(bob, first.f, 1, 600 * KIB)).status).toBe(200);
  expect((await upload(ada, 600 * KIB)).status).toBe(201);
  expect((await upload(bob, 300 * KIB)).status).toBe(201);
  expect(await addNote(bob, 80 * KIB)).toBe(201);
  expect(await addNote(bob, 80 * KIB)).toBe(507);
  expect(await addNote(bob, 500)).toBe(201);
  const operationId = await remove(first.f);
  expect((await upload(bob, 300 * KIB)).status).toBe(507);
  await ada.call(purge, { params: { operationId } });
  expect((await upload(bob, 300 * KIB)).status).toBe(201);
  await limit({ person_quota_mib: 0 });
  expect((await upload(bob, 2 * MIB)).status).toBe(201);
  await hasNotDrifted();
});

test('concurrent uploads: as many as fit are stored, and no more (T142)', async () => {
  await limit({ person_quota_mib: 1 });
  const places = await Promise.all(Array.from({ length: 8 }, (_, at) => createEntryIn(ada, place.g, `${at}`)));
  const answers = await Promise.all(places.map((e) => upload(bob, 300 * KIB, e)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 201, 201, 507, 507, 507, 507, 507]);
  const made = answers.filter(({ status }) => status === 201);
  const [one] = made;
  const e = places[answers.findIndex(({ f }) => f === one?.f)] ?? '';
  const before = await listBodies(app);
  expect(before).toHaveLength(3);
  // New versions in parallel with new files.
  place = { ...place, e };
  const more = await Promise.all([
    replaceFile(bob, one?.f ?? '', 1, 100 * KIB).then(({ status }) => status),
    ...places.slice(0, 4).map((elsewhere) => upload(bob, 100 * KIB, elsewhere).then(({ status }) => status)),
  ]);
  expect(more.filter((status) => status < 300)).toHaveLength(1);
  expect((await hasNotDrifted()).bob).toBeLessThanOrEqual(MIB);
});

test('an import over the quota changes nothing, in either form (T142)', async () => {
  await limit({ person_quota_mib: 1 });
  expect((await upload(bob, 400 * KIB)).status).toBe(201);
  const before = [await listBodies(app), await counted()];
  const send = async (bytes: number) => {
    const made = await sealedBatch(bob.keyring, app.clock.now(), v7(), bytes);
    return bob.request({ path: '/import', multipart: batchForm(made) });
  };
  const refused = await send(700 * KIB);
  expect([refused.status, refused.json()]).toMatchObject([
    507,
    { code: 'quota_exceeded', message: expect.stringMatching(/this needs 71\d kB\. /) },
  ]);
  expect([await listBodies(app), await counted()]).toEqual(before);
  expect((await send(500 * KIB)).status).toBe(201);
  await hasNotDrifted();
});

test('concurrent imports and uploads never exceed the quota, and a refused import leaves nothing (T142)', async () => {
  await limit({ person_quota_mib: 1 });
  const batches = await Promise.all(
    ['First', 'Second'].map((name) => sealedBatch(bob.keyring, app.clock.now(), name, 500 * KIB)),
  );
  const entryIds = await Promise.all(Array.from({ length: 4 }, (_, at) => createEntryIn(ada, place.g, `${at}`)));
  const answers = await Promise.all([
    ...batches.map((made) => bob.request({ path: '/import', multipart: batchForm(made) })),
    ...entryIds.map((e) => upload(bob, 150 * KIB, e)),
  ]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 201 && status !== 507)).toEqual([]);
  expect(statuses).toContain(507);
  expect((await hasNotDrifted()).bob).toBeLessThanOrEqual(MIB);
  expect(await app.deps.db.read.selectFrom('staged_imports').selectAll().execute()).toEqual([]);
  const revisions = app.deps.db.read.selectFrom('field_revisions').where('body_sha256', 'is not', null);
  const named = await revisions.select('body_sha256').distinct().execute();
  expect(await listBodies(app)).toHaveLength(named.length);
});

test('an import is refused in its last transaction if other uploads have used the quota meanwhile (T142)', async () => {
  await limit({ person_quota_mib: 1 });
  const made = await sealedBatch(bob.keyring, app.clock.now(), 'Imported', 500 * KIB);
  const statuses: number[] = [];
  const importing = storeUntil(app, bob, made, async (turn) => {
    if (turn === 1) statuses.push((await upload(bob, 700 * KIB)).status);
    return true;
  });
  await expect(importing).rejects.toMatchObject({ code: 'quota_exceeded', details: { scope: 'person' } });
  expect(statuses).toEqual([201]);
});

test('moves, the trash and deleted accounts change no sum, and existing files stay usable (T142)', async () => {
  const { f } = await upload(bob, 700 * KIB);
  expect((await upload(ada, 10 * KIB)).status).toBe(201);
  const before = await hasNotDrifted();
  const to = await createSealedPlace(ada, { name: 'To' });
  const { rows } = await callWithProof(app, ada, entries.wraps, { params: place, body: { entries: [place.e] } });
  const rewraps = await Promise.all(
    rows.map(async ({ field_id, rev, type, cek_wrapped_base64 }) => {
      const at = { entryGroupId: place.g, entryId: place.e, fieldId: field_id, type, rev };
      return { field_id, rev, cek_wrapped: await rewrapField(place.groupKey, to.groupKey, at, cek_wrapped_base64) };
    }),
  );
  const moved = { entryGroupTarget: to.g, target_gk_version: 1, rewraps };
  await callWithProof(app, ada, entries.move, { params: place, body: moved });
  place = { ...to, e: place.e };
  expect(await hasNotDrifted()).toEqual(before);
  // A quota below the stored bytes removes nothing; purging frees quota.
  await limit({ person_quota_mib: 1, site_quota_mib: 1 });
  await joinGroup(app, to.g, bob, 'moderator');
  expect((await upload(bob, 400 * KIB)).status).toBe(507);
  await ada.call(undo, { params: { operationId: await remove(f) }, body: {} });
  expect(await hasNotDrifted()).toEqual(before);
  expect((await bob.call(fields.envelope, { params: { ...place, f } })).file).not.toBeNull();
  await ada.call(people.remove, { params: { id: bob.userId }, body: {} });
  expect((await ada.call(storage)).stored_bytes).toBe(before.ada + before.bob);
  expect((await upload(ada, 400 * KIB)).problem).toMatchObject({ details: { scope: 'site' } });
});

test('the quota of the site counts all people (T142)', async () => {
  await limit({ site_quota_mib: 1 });
  expect((await upload(ada, 600 * KIB)).status).toBe(201);
  const refused = await upload(bob, 600 * KIB);
  expect([refused.status, refused.problem]).toMatchObject([
    507,
    {
      code: 'quota_exceeded',
      message: expect.stringMatching(/^This site has used .* of 1\.05 MB,/),
      details: { scope: 'site' },
    },
  ]);
  const both = await Promise.all([upload(ada, 300 * KIB), upload(bob, 300 * KIB)]);
  expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 507]);
});

test('a file beyond the quota is refused before its body is read (T142)', async () => {
  await limit({ person_quota_mib: 1 });
  const { port, hostname } = new URL(await app.listen());
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest({
      host: hostname,
      port,
      method: 'POST',
      path: fillPath(fields.create.path, place),
      headers: {
        cookie: [...bob.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': bob.cookies.get('XSRF-TOKEN') ?? '',
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 20 * MIB,
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    request.flushHeaders();
  });
  expect(status).toBe(507);
});
