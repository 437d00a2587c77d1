/** Expensive batches are refused quickly with a short response, and the next import succeeds (T58–T62). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as site from '@passwordbroker/core/contract/site/site';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { batchForm, sealedBatch } from './testing/sealed-batch.ts';

const PATH = '/passwordBroker/api/import';
const MIB = 1024 * 1024;
let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

const sendText = (raw: string) =>
  ada.request({ method: 'POST', path: PATH, raw, headers: { 'content-type': 'application/json' } });
const make = () => sealedBatch(ada.keyring, app.clock.now());
const padding = '"'.padEnd(60, 'x');

describe('text that exhausts memory', () => {
  test.each([
    ['empty lists', `{"batch":{"fields":[${'[],'.repeat(10 * MIB)}[]]}}`],
    ['depth', `{"batch":{"fields":${'['.repeat(MIB)}`],
  ])('%s: the next import succeeds at once', async (_, text) => {
    const answer = await sendText(text);
    expect([answer.status, answer.bytes.length < 1000]).toEqual([400, true]);
    const made = await make();
    expect((await ada.request({ path: PATH, multipart: batchForm(made) })).status).toBe(201);
  });
});

test.each(['groups', 'entries', 'skipped', 'fields'])('very many malformed %s: one short response', async (member) => {
  const { batch } = await make();
  const many = Array.from({ length: 20_000 }, () => ({ [padding]: 1 }));
  const answer = await sendText(JSON.stringify({ batch: { ...batch, [member]: many } }));
  expect([answer.status, answer.bytes.length < 100_000]).toEqual([422, true]);
});

test.each([
  ['no name', (): undefined => undefined],
  ['a name that differs from the first group', () => 'Another name'],
])('%s', async (_, name) => {
  const made = await make();
  const answer = await ada.request({
    path: PATH,
    multipart: batchForm({ ...made, batch: { ...made.batch, name: name() as string } }),
  });
  expect([answer.status, Object.keys(answer.json()['errors'] as object)]).toEqual([422, ['batch.name']]);
});

test('a former file without its own body must have the size of the revision before it', async () => {
  const made = await make();
  const fields = made.batch.fields.map((field) => {
    const [first] = field.revisions;
    if (field.type !== 'file' || first === undefined) return field;
    const second = { ...first, rev: 2, file_size: 9_999_999 };
    return { ...field, revisions: [first, second] };
  });
  const answer = await ada.request({ path: PATH, multipart: batchForm({ ...made, batch: { ...made.batch, fields } }) });
  expect([answer.status, answer.json()['code']]).toEqual([422, 'bad_sealed_value']);
});

test('a revision without a title and login takes them from its field', async () => {
  const made = await make();
  const fields = made.batch.fields.map((field) => ({
    ...field,
    revisions: field.revisions.map((revision) => ({ ...revision, title: null, login: null })),
  }));
  const json = JSON.stringify({ ...made.batch, fields });
  const multipart = batchForm(made);
  multipart.set('batch', new Blob([json], { type: 'application/json' }));
  expect((await ada.request({ path: PATH, multipart })).status).toBe(201);
  const titles = await app.deps.db.read
    .selectFrom('fields')
    .select('title')
    .where(
      'field_id',
      'in',
      made.batch.fields.map((field) => field.field_id),
    )
    .execute();
  expect(titles.map(({ title }) => title).sort((a, b) => a.localeCompare(b))).toEqual(
    made.batch.fields.map((field) => field.title ?? '').sort((a, b) => a.localeCompare(b)),
  );
});

test('an attachment above the limit of the site is refused in both forms and stores nothing; one at the limit is accepted', async () => {
  const keepass = (bytes: number) => {
    const value = Buffer.alloc(bytes, 'x').toString('base64');
    const entry = `<Entry><Binary><Key>a.txt</Key><Value>${value}</Value></Binary></Entry>`;
    const form = new FormData();
    form.append('master_password', ada.masterPassword);
    form.append('file', new Blob([`<KeePassFile><Root><Group>${entry}</Group></Root></KeePassFile>`]), 'a.xml');
    return form;
  };
  const sealed = async (bytes: number) => batchForm(await sealedBatch(ada.keyring, app.clock.now(), 'Large', bytes));
  const limit = (file_mib: number) => ada.call(site.changeLimits, { body: { file_mib } });
  const trees = async () => (await app.deps.db.read.selectFrom('entry_groups').selectAll().execute()).length;
  await limit(1);
  const before = await trees();
  for (const multipart of [keepass(MIB + 1), await sealed(MIB + 1)]) {
    const answer = await ada.request({ path: PATH, multipart });
    expect([answer.status, answer.json()]).toEqual([
      413,
      expect.objectContaining({
        code: 'payload_too_large',
        message: 'An attachment is larger than this site allows (1.05 MB).',
        details: { limit: MIB },
      }),
    ]);
  }
  expect(await trees()).toBe(before);
  for (const multipart of [keepass(MIB), await sealed(MIB)]) {
    expect((await ada.request({ path: PATH, multipart })).status).toBe(201);
  }
  await limit(25);
});
