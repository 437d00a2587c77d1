/**
 * One RSA unwrap for each request that decrypts, however many values it has, and none for others.
 * Counts calls on the server's thread; imports are sealed on another thread, and `sealImport`
 * (core, `import-batch.test.ts`) has its own test.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { keepassXml } from '../import/testing/keepass-xml.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { fieldsPath, signUpPlain } from './testing/script.ts';
import type { EntryPath, Script } from './testing/script.ts';

let app: TestApp;
let ada: Script;
let place: EntryPath;

const { subtle } = crypto;
const decrypt = subtle.decrypt.bind(subtle);
let unwraps = 0;

beforeAll(async () => {
  app = await startTestApp();
  ada = await signUpPlain(app.guest(), 'ada');
  const g = await ada.createGroup('Operations');
  place = { g, e: await ada.createEntry(g, 'PostgreSQL primary') };
});
beforeEach(() => {
  unwraps = 0;
  subtle.decrypt = (algorithm, key, data) => {
    if (key.algorithm.name === 'RSA-OAEP') unwraps += 1;
    return decrypt(algorithm, key, data);
  };
});
afterEach(() => {
  Reflect.deleteProperty(subtle, 'decrypt');
});
afterAll(() => app.stop());

async function createNote(value: string): Promise<string> {
  const answer = await ada.createField(place, { type: 'note', value });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ field_id: string }>().field_id;
}

test('creating or revealing a field costs one', async () => {
  const ids = [await createNote('one'), await createNote('two'), await createNote('three')];
  expect(unwraps).toBe(3);
  for (const [at, f] of ids.entries()) {
    expect((await ada.decrypt({ ...place, f })).status).toBe(200);
    expect(unwraps).toBe(4 + at);
  }
});

test('a large file costs one', async () => {
  const answer = await ada.createField(place, { type: 'file' }, new File([new Uint8Array(500_000)], 'a'));
  expect([answer.status, unwraps]).toEqual([201, 1]);
  const { field_id: f } = answer.json<{ field_id: string }>();
  expect((await ada.decrypt({ ...place, f })).status).toBe(200);
  expect(unwraps).toBe(2);
});

test('lists, searches, histories and envelopes cost none', async () => {
  const f = await createNote('listed');
  unwraps = 0;
  const group = `/passwordBroker/api/entryGroups/${place.g}`;
  const paths = [
    '/passwordBroker/api/entryGroupsAsTree',
    '/passwordBroker/api/entrySearch?q=postgresql',
    group,
    `${group}/roster`,
    `${group}/entries`,
    fieldsPath(place),
    `${fieldsPath(place)}/${f}`,
    `${fieldsPath(place)}/${f}/history`,
    `${fieldsPath(place)}/${f}/envelope`,
  ];
  for (const path of paths) expect([path, (await ada.client.request({ path })).status]).toEqual([path, 200]);
  expect(unwraps).toBe(0);
});

test('requests that are refused earlier cost none', async () => {
  const f = await createNote('refused');
  unwraps = 0;
  expect((await ada.decrypt({ ...place, f }, 'wrong')).status).toBe(422);
  expect((await ada.createField(place, { type: 'note' })).status).toBe(422);
  expect(unwraps).toBe(0);
});

test('a new group costs none: its key is wrapped, not unwrapped', async () => {
  await ada.createGroup('Made with a master password');
  await ada.createGroup('Made without', {});
  expect(unwraps).toBe(0);
});

test('an import of 50 entries costs none on this thread', async () => {
  const entries = Array.from({ length: 50 }, (_, at) => ({ title: `Entry ${at}`, user: 'ada', password: `p${at}` }));
  const multipart = new FormData();
  multipart.append('master_password', ada.masterPassword);
  multipart.append('file', new File([new Uint8Array(keepassXml({ name: 'Root', entries }))], 'vault.xml'));
  const answer = await ada.client.request({ path: '/passwordBroker/api/import', multipart });
  expect(answer.json()).toMatchObject({ kind: 'import', counts: { entries: 50, fields: 50 } });
  expect(unwraps).toBe(0);
});
