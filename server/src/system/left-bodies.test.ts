/** Files that no revision names: removed with the request that fails, the rest is collected, and nothing else goes (T142, R54). */
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/fields';
import { purge } from '@passwordbroker/core/contract/operations';
import { sha256 } from '../platform/secrets.ts';
import { removeUnnamedBodies } from '../fields/body-repository.ts';
import { withBody } from '../fields/with-body.ts';
import { batchForm, sealedBatch } from '../import/testing/sealed-batch.ts';
import { createSealedPlace, sealedFileField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { listBodies, replaceBody, setTouch } from '../testing/test-bodies.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { startHousekeeping } from './housekeeping.ts';
import { KEPT_FOR, collectLeftBodies } from './left-bodies.ts';

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

/** As a file is called until all of it is there. */
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

test('only what no revision names, and nothing has touched since', async () => {
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

  // The same bytes once more, about to be named by a row: they count as touched.
  await age(fresh, KEPT_FOR + 1000);
  await app.deps.bodies.put(Buffer.from('a request that is under way'));
  expect(await collectLeftBodies(app.deps, Date.now() - KEPT_FOR)).toBe(0);
});

test('the file of a request that fails after it was stored is gone with the answer, but not one that others name (T142)', async () => {
  for (let round = 0; round < 15; round += 1) {
    const { members, body } = await sealedFileField(place);
    const isThere = () => app.deps.bodies.has(nameOf(body));
    // Two requests for one id: the one that is second at the commit is refused, with its file already stored.
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

test('a file that is removed between being stored and being named is stored again (T142)', async () => {
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

test('uploads and removals of the same bytes at once: whatever was acknowledged can be read (T142)', async () => {
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

test('the files of a refused import are gone with the answer (T142)', async () => {
  const made = await sealedBatch(ada.keyring, app.clock.now(), 'Refused', 200_000);
  const [text, file] = made.batch.fields;
  const astray = { ...text!, field_id: v7(), entry_id: v7() };
  // Its file is checked and stored portions before the field that has no entry.
  const texts = Array.from({ length: 999 }, () => ({ ...text!, field_id: v7() }));
  const batch = { ...made.batch, fields: [file!, ...texts, astray] };
  const before = await listBodies(app);
  const answer = await ada.request({ path: '/import', multipart: batchForm({ ...made, batch }) });
  expect([answer.status, answer.json()]).toMatchObject([422, { code: 'validation' }]);
  expect(await listBodies(app)).toEqual(before);
});

test('what a process left that died is collected by the next one as it starts (R54)', async () => {
  if (app.deps.db.dialect !== 'sqlite') return;
  const left = (await app.deps.bodies.put(Buffer.from('left'))).sha256;
  await replaceBody(app, HALF_WRITTEN, Buffer.from('x'));
  // As long ago as this process has run: the next one is in it as well.
  for (const name of [left, HALF_WRITTEN]) await setTouch(app, name, performance.timeOrigin - 1);
  const fresh = (await app.deps.bodies.put(Buffer.from('of a request to the next one'))).sha256;
  const before = await listBodies(app);
  await app.restart();
  const housekeeping = startHousekeeping(app.deps);
  await expect.poll(() => listBodies(app)).toEqual(before.filter((name) => ![left, HALF_WRITTEN].includes(name)));
  await housekeeping.stop();
  expect(await app.deps.bodies.has(fresh)).toBe(true);
});

test('a file that release 1.0 was about to remove when it ended is there again', async () => {
  if (app.deps.db.dialect !== 'sqlite') return;
  const { sha256: name } = await app.deps.bodies.put(Buffer.from('half removed'));
  const aside = join(app.dataDir, 'bodies-removed');
  await mkdir(aside, { recursive: true });
  await rename(join(app.dataDir, 'bodies', name), join(aside, name));
  await app.restart();
  expect(await app.deps.bodies.has(name)).toBe(true);
});
