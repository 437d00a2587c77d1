/**
 * File bodies that no revision names are removed with the failed request or by the sweep, and no
 * others (T142, R54).
 */
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { purge } from '@passwordbroker/core/contract/entries/operations';
import { sha256 } from '../platform/ids-and-digests.ts';
import { removeUnnamedBodies } from '../fields/storage-repository.ts';
import { withBody } from '../fields/storage.ts';
import { batchForm, sealedBatch } from '../import/testing/sealed-batch.ts';
import { createSealedPlace, sealedFileField, type SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { listBodies, replaceBody, setTouch } from '../testing/test-bodies.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { startHousekeeping, KEPT_FOR, collectLeftBodies } from './housekeeping.ts';

let app: TestApp;
let ada: SignedIn;
let place: SealedPlace;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  place = await createSealedPlace(ada);
});
afterEach(() => collectLeftBodies(app.deps, Number.MAX_SAFE_INTEGER));
afterAll(() => app.stop());

/** Name of a file that is not completely written. */
const HALF_WRITTEN = '.server.half-written';
const age = (name: string, ms: number) => setTouch(app, name, app.deps.clock.now() - ms);
const nameOf = (bytes: Uint8Array) => sha256(bytes).toString('hex');

function formOf(members: object, body: Uint8Array<ArrayBuffer>): FormData {
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
  multipart.append('file', new Blob([body]), 'sealed');
  return multipart;
}

const upload = (members: object, body: Uint8Array<ArrayBuffer>) =>
  ada.request({ path: `${fieldsPath()}`, multipart: formOf(members, body) });
const fieldsPath = () => `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields`;

async function purgeField(f: string): Promise<void> {
  const { operation_id: operationId } = await callWithProof(app, ada, fields.remove, { params: { ...place, f } });
  await ada.call(purge, { params: { operationId } });
}

test('the sweep removes only bodies that no revision names and that are old enough', async () => {
  const { members, body } = await sealedFileField(place);
  expect((await upload(members, body)).status).toBe(201);
  const named = nameOf(body);
  const left = (await app.deps.bodies.put(Buffer.from('a request that was refused'))).sha256;
  const fresh = (await app.deps.bodies.put(Buffer.from('a request that is under way'))).sha256;
  await replaceBody(app, HALF_WRITTEN, Buffer.from('x'));
  for (const name of [named, left, HALF_WRITTEN]) await age(name, KEPT_FOR + 1000);
  await age(fresh, KEPT_FOR - 60_000);

  expect(await collectLeftBodies(app.deps, app.deps.clock.now() - KEPT_FOR)).toBe(2);
  expect(await listBodies(app)).toEqual([named, fresh].sort((a, b) => a.localeCompare(b)));

  // Storing the same bytes again protects them from the sweep.
  await age(fresh, KEPT_FOR + 1000);
  await app.deps.bodies.put(Buffer.from('a request that is under way'));
  expect(await collectLeftBodies(app.deps, Date.now() - KEPT_FOR)).toBe(0);
});

test('a request that fails after storing its file removes it before the answer, unless others name it (T142)', async () => {
  for (let round = 0; round < 15; round += 1) {
    const { members, body } = await sealedFileField(place);
    const isThere = () => app.deps.bodies.has(nameOf(body));
    // Two requests for one id: the second to commit is refused after its file was stored.
    const answers = await Promise.all(['One', 'Two'].map((title) => upload({ ...members, title }, body)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409]);
    expect(await isThere(), `round ${round}`).toBe(true);
    await purgeField(members.field_id);
    expect(await isThere(), `round ${round}`).toBe(false);

    const refused = await Promise.all(['One', 'Two'].map((title) => upload({ ...members, title }, body)));
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect(await isThere(), `round ${round}`).toBe(false);
  }
});

test('a file that is removed before its transaction names it is stored again (T142)', async () => {
  const bytes = Buffer.from('named in a moment');
  const name = nameOf(bytes);
  await withBody(app.deps, bytes, async (stored) => {
    expect(await removeUnnamedBodies(app.deps, [name])).toBe(1);
    await stored?.keep();
    expect(await app.deps.bodies.has(name)).toBe(true);
  });
  await expect(withBody(app.deps, bytes, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(await app.deps.bodies.has(name)).toBe(false);
});

test('concurrent uploads and removals of the same bytes: every acknowledged upload can be read (T142)', async () => {
  const { members, body } = await sealedFileField(place);
  const isThere = () => app.deps.bodies.has(nameOf(body));
  for (let round = 0; round < 15; round += 1) {
    const ids = [v7(), v7(), v7()];
    const some = [
      ...ids.map((field_id) => upload({ ...members, field_id }, body)),
      upload({ ...members, field_id: ids[0], title: 'Another' }, body),
    ];
    const answers = await Promise.all(some);
    const made = ids.slice(0, 3);
    expect(answers.filter(({ status }) => status === 201).length, `round ${round}`).toBe(3);
    expect(await isThere(), `round ${round}`).toBe(true);
    await Promise.all(made.slice(1).map(purgeField));
    expect(await isThere(), `round ${round}`).toBe(true);
    await purgeField(made[0] ?? '');
    expect(await isThere(), `round ${round}`).toBe(false);
  }
});

test('a refused import removes its files before the answer (T142)', async () => {
  const made = await sealedBatch(ada.keyring, app.clock.now(), 'Refused', 200_000);
  const [text, file] = made.batch.fields;
  const astray = { ...text!, field_id: v7(), entry_id: v7() };
  // The file is stored several portions before the field without an entry is checked.
  const texts = Array.from({ length: 999 }, () => ({ ...text!, field_id: v7() }));
  const batch = { ...made.batch, fields: [file!, ...texts, astray] };
  const before = await listBodies(app);
  const answer = await ada.request({ path: '/import', multipart: batchForm({ ...made, batch }) });
  expect([answer.status, answer.json()]).toMatchObject([422, { code: 'validation' }]);
  expect(await listBodies(app)).toEqual(before);
});

test('the start of the server removes files that a dead process left (R54)', async () => {
  if (app.deps.db.dialect !== 'sqlite') return;
  const left = (await app.deps.bodies.put(Buffer.from('left'))).sha256;
  await replaceBody(app, HALF_WRITTEN, Buffer.from('x'));
  // Older than this process, in which the restarted server runs as well.
  for (const name of [left, HALF_WRITTEN]) await setTouch(app, name, performance.timeOrigin - 1);
  const fresh = (await app.deps.bodies.put(Buffer.from('of a request to the next one'))).sha256;
  const before = await listBodies(app);
  await app.restart();
  const housekeeping = startHousekeeping(app.deps);
  await expect.poll(() => listBodies(app)).toEqual(before.filter((name) => ![left, HALF_WRITTEN].includes(name)));
  await housekeeping.stop();
  expect(await app.deps.bodies.has(fresh)).toBe(true);
});

test('a file that release 1.0 moved aside when it died is restored', async () => {
  if (app.deps.db.dialect !== 'sqlite') return;
  const { sha256: name } = await app.deps.bodies.put(Buffer.from('half removed'));
  const aside = join(app.dataDir, 'bodies-removed');
  await mkdir(aside, { recursive: true });
  await rename(join(app.dataDir, 'bodies', name), join(aside, name));
  await app.restart();
  expect(await app.deps.bodies.has(name)).toBe(true);
});
