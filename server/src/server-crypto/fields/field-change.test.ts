/** Changing and removing fields with a master password (docs/spec/api.md §3.9). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal, invalid } from '../../fields/testing/refusal.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { type EntryPath, type Script, fieldsPath, signUpPlain } from '../testing/script.ts';

let app: TestApp;
let ada: Script;
let place: EntryPath;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUpPlain(app.guest(), 'ada');
  const g = await ada.createGroup('Group');
  place = { g, e: await ada.createEntry(g, 'Entry') };
});
afterAll(() => app.stop());

const make = async (members: Record<string, string>, file?: File) =>
  (await ada.createField(place, members, file)).json<{ field_id: string }>().field_id;
const send = (f: string, json: object) =>
  ada.client.request({ path: `${fieldsPath(place)}/${f}`, json: { _method: 'put', ...json } });
const change = (f: string, json: object) => send(f, { master_password: ada.masterPassword, ...json });
const valueOf = async (f: string) => Buffer.from((await ada.decrypt({ ...place, f })).text, 'base64').toString();

describe('absent members keep their values', () => {
  test.each([
    ['the value', { value: 'second' }, { title: 'Root', login: 'ada' }, 'second'],
    ['the title', { title: 'Other' }, { title: 'Other', login: 'ada' }, 'first'],
    ['the login', { login: 'root' }, { title: 'Root', login: 'root' }, 'first'],
    ['nothing', {}, { title: 'Root', login: 'ada' }, 'first'],
  ])('a password with a change of: %s', async (_, members, shown, value) => {
    const f = await make({ type: 'password', title: 'Root', login: 'ada', value: 'first' });
    const answer = await change(f, members);
    expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ ...shown, rev: 2 })]);
    expect(await valueOf(f)).toBe(value);
  });

  test('a TOTP keeps its period and algorithm; an otpauth address sets its own', async () => {
    const f = await make({
      type: 'TOTP',
      value: 'JBSWY3DPEHPK3PXP',
      totp_timeout: '60',
      totp_hash_algorithm: 'sha256',
    });
    expect((await change(f, { title: 'Code' })).json()).toMatchObject({
      totp_timeout: 60,
      totp_hash_algorithm: 'sha256',
    });
    expect((await change(f, { totp_timeout: 45 })).json()).toMatchObject({ totp_timeout: 45 });
    const address = 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&period=20&algorithm=SHA512';
    expect((await change(f, { value: address })).json()).toMatchObject({
      totp_timeout: 20,
      totp_hash_algorithm: 'sha512',
    });
    expect(await valueOf(f)).toBe('GEZDGNBVGY3TQOJQ');
  });

  test('a file keeps its bytes until another file is sent', async () => {
    const f = await make({ type: 'file', title: 'Plan' }, new File(['first bytes'], 'a.txt'));
    expect((await change(f, { title: 'Other plan' })).json()).toMatchObject({
      title: 'Other plan',
      file_name: 'a.txt',
      rev: 2,
    });
    expect(await valueOf(f)).toBe('first bytes');
    const multipart = new FormData();
    multipart.append('_method', 'put');
    multipart.append('master_password', ada.masterPassword);
    multipart.append('file', new File(['second'], 'b.txt'));
    const answer = await ada.client.request({ path: `${fieldsPath(place)}/${f}`, multipart });
    expect(answer.json()).toMatchObject({ title: 'Other plan', file_name: 'b.txt', file_size: 6, rev: 3 });
    expect(await valueOf(f)).toBe('second');
  });
});

test('concurrent updates without a base revision all succeed one after another, and the history has every value', async () => {
  const f = await make({ type: 'note', value: 'first' });
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((value) => change(f, { value })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const revs = await app.deps.db.read
    .selectFrom('field_history')
    .select('rev')
    .where('field_id', '=', f)
    .where('event_type', 'in', ['created', 'updated'])
    .execute();
  expect(revs.map(({ rev }) => rev).sort((a, b) => Number(a) - Number(b))).toEqual([1, 2, 3, 4, 5]);
});

test('of concurrent updates with the same base revision one succeeds', async () => {
  const f = await make({ type: 'note', value: 'first' });
  const answers = await Promise.all(['a', 'b', 'c'].map((value) => change(f, { value, base_rev: 1 })));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);
});

describe('refused updates change nothing', () => {
  let f: string;
  beforeAll(async () => {
    f = await make({ type: 'TOTP', value: 'JBSWY3DPEHPK3PXP' });
  });
  test.each<[string, object, object]>([
    ['no master password', { master_password: '' }, invalid({ master_password: 'MasterPassword is missing' })],
    ['a wrong master password', { master_password: 'wrong' }, { status: 422, code: 'master_password_invalid' }],
    ['an empty value', { value: '' }, invalid({ value: 'Field Value is missing' })],
    ['no secret', { value: 'no base32!' }, invalid({ value: 'Field Value is not a valid TOTP secret' })],
    ['another type', { type: 'note' }, invalid({ type: 'The type is not expected.' })],
    [
      'a base revision that is not the present one',
      { base_rev: 7 },
      { status: 409, code: 'revision_conflict', details: { current_rev: 1 } },
    ],
    [
      'a long period',
      { totp_timeout: 10001 },
      invalid({ totp_timeout: 'The totp timeout must be between 1 and 10000.' }),
    ],
  ])('%s', async (_, members, expected) => {
    await expectRefusal(app, () => change(f, members), expected);
  });
});

describe('removing', () => {
  const remove = (f: string, members: object) =>
    ada.client.request({ path: `${fieldsPath(place)}/${f}`, json: { _method: 'delete', ...members } });

  test('needs the master password and moves the field to the trash', async () => {
    const f = await make({ type: 'note', value: 'x' });
    await expectRefusal(app, () => remove(f, {}), invalid({ master_password: 'MasterPassword is missing' }));
    await expectRefusal(app, () => remove(f, { master_password: 'no' }), { code: 'master_password_invalid' });
    const answer = await remove(f, { master_password: ada.masterPassword });
    expect([answer.status, answer.json()]).toEqual([
      200,
      expect.objectContaining({ kind: 'delete', counts: { entry_groups: 0, entries: 0, fields: 1 } }),
    ]);
    expect((await ada.decrypt({ ...place, f })).status).toBe(404);
    const { operation_id } = answer.json<{ operation_id: string }>();
    const undone = await ada.client.request({ path: `/passwordBroker/api/operations/${operation_id}/undo`, json: {} });
    expect(undone.status).toBe(200);
    expect(await valueOf(f)).toBe('x');
  });
});
