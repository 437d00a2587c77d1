/** Search finds imported content in any order of the fields and under any name of the tree. */
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { search } from '@passwordbroker/core/contract/entries/entries';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { keepassXml } from './testing/keepass-xml.ts';
import { batchForm, manyFields, sealedBatch } from './testing/sealed-batch.ts';

const PATH = '/passwordBroker/api/import';
/** More fields than one check of the import takes. */
const BETWEEN = 600;
let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

const titlesFor = async (q: string) => (await ada.call(search, { query: { q } })).data.map(({ title }) => title);

test('an entry whose fields are far apart in the batch is found by each of them', async () => {
  const { batch, bodies } = await sealedBatch(ada.keyring, app.clock.now());
  const [first, file] = batch.fields;
  const [entry, other] = batch.entries;
  if (!first || !file || !entry || !other) throw new Error('Two entries with a field each');
  const crowd = manyFields(batch, BETWEEN);
  const fields = [
    { ...first, login: 'early bird' },
    ...crowd.fields.map((field) => ({ ...field, login: 'crowd' })),
    { ...first, field_id: v7(), login: 'latecomer' },
    file,
  ];
  const multipart = batchForm({ batch: { ...batch, entries: [...batch.entries, ...crowd.entries], fields }, bodies });
  const answer = await ada.request({ path: PATH, multipart });
  expect([answer.status, answer.json()['counts']]).toEqual([201, expect.objectContaining({ fields: BETWEEN + 3 })]);
  expect(await titlesFor('early bird')).toEqual([entry.title]);
  expect(await titlesFor('latecomer')).toEqual([entry.title]);
  expect((await titlesFor('crowd')).sort()).toEqual(crowd.entries.map(({ title }) => title));
  expect(await titlesFor('a.txt')).toEqual([other.title]);
});

test('entries of a renamed tree are found by its new name', async () => {
  for (const title of ['One', 'Two']) {
    const form = new FormData();
    form.append('master_password', ada.masterPassword);
    const xml = keepassXml({ name: 'Root', entries: [{ title, password: 'x' }] });
    form.append('file', new Blob([new Uint8Array(xml)]), 'vault.xml');
    expect((await ada.request({ path: PATH, multipart: form })).status).toBe(201);
  }
  expect(await titlesFor('group:"keepass (2)"')).toEqual(['Two']);
  expect((await titlesFor('group:keepass')).sort()).toEqual(['One', 'Two']);
});
