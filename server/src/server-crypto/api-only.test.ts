/** A script that knows only the API and a master password can do everything (docs/spec/api.md §5). */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { keepassXml } from '../import/testing/keepass-xml.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import type { TestAnswer } from '../testing/test-client.ts';
import { fieldsPath, signUpPlain } from './testing/script.ts';
import type { EntryPath, Script } from './testing/script.ts';

let app: TestApp;
let ada: Script;
let place: EntryPath;

beforeAll(async () => {
  app = await startTestApp();
  ada = await signUpPlain(app.guest(), 'ada');
  const g = await ada.createGroup('Operations');
  place = { g, e: await ada.createEntry(g, 'PostgreSQL primary') };
});
afterAll(() => app.stop());

const made = async (answering: Promise<TestAnswer>) => {
  const answer = await answering;
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ field_id: string; type: string; [name: string]: unknown }>();
};
const valueOf = async (f: string) => {
  const answer = await ada.decrypt({ ...place, f });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  return Buffer.from(answer.text, 'base64');
};

describe('each of the five types is written and read back byte for byte', () => {
  test.each<[string, Record<string, string>, Record<string, unknown>]>([
    [
      'password',
      { type: 'password', title: 'root', login: 'postgres', value: ' s3cr3t \t' },
      { title: 'root', login: 'postgres' },
    ],
    ['a password without login and title', { type: 'password', value: 'ö' }, { title: '', login: '' }],
    ['link', { type: 'link', title: 'Console', value: 'https://例え.example/?q=1#x' }, { title: 'Console' }],
    ['note', { type: 'note', value: 'первая\r\nвторая\u0000'.replace('\u0000', '') }, {}],
    ['a note of 1 MB', { type: 'note', value: '☂'.repeat(349_525) }, {}],
  ])('%s', async (_, members, shown) => {
    const field = await made(ada.createField(place, members));
    expect(field).toMatchObject({ type: members['type'], rev: 1, gk_version: 1, crypto_profile: 'pb1', ...shown });
    expect((await valueOf(field.field_id)).toString()).toBe(members['value']);
  });

  test.each([
    ['a secret in groups of four', 'jbsw y3dp ehpk 3pxp', {}, 'sha1', 30, 'JBSWY3DPEHPK3PXP'],
    ['padding', 'MFRGG===', {}, 'sha1', 30, 'MFRGG'],
    [
      'an otpauth address',
      'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&algorithm=SHA256&period=60',
      {},
      'sha256',
      60,
      'JBSWY3DPEHPK3PXP',
    ],
    [
      'an address overrides the parameters beside it',
      'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&algorithm=SHA256&period=60',
      { totp_hash_algorithm: 'sha512', totp_timeout: '45' },
      'sha512',
      45,
      'JBSWY3DPEHPK3PXP',
    ],
  ])('TOTP: %s', async (_, value, more, algorithm, period, stored) => {
    const field = await made(ada.createField(place, { type: 'TOTP', title: 't', value, ...more }));
    expect(field).toMatchObject({ totp_hash_algorithm: algorithm, totp_timeout: period });
    expect((await valueOf(field.field_id)).toString()).toBe(stored);
  });

  test.each([0, 1, 65_535, 65_536, 65_537, 3_000_001])('a file of %i bytes', async (size) => {
    const bytes = randomBytes(size);
    const file = new File([bytes], 'Schlüssel ☂.bin', { type: 'application/x-thing' });
    const field = await made(ada.createField(place, { type: 'file', title: 'f' }, file));
    expect(field).toMatchObject({ file_name: 'Schlüssel ☂.bin', file_mime: 'application/x-thing', file_size: size });
    expect(Buffer.compare(await valueOf(field.field_id), Buffer.from(bytes))).toBe(0);
  });

  test('T160: special characters in file names arrive unchanged', async () => {
    const name = 'k\u00e9y "1" 100%.bin';
    const field = await made(ada.createField(place, { type: 'file', title: 'f' }, new File(['content'], name)));
    expect(field).toMatchObject({ file_name: name });
    const broken = new FormData();
    broken.set('a"\r\n[b', 'x');
    expect((await ada.client.request({ path: fieldsPath(place), multipart: broken })).status).toBe(400);
  });

  test('a form and JSON mean the same', async () => {
    const { client, masterPassword } = ada;
    const form = { type: 'link', title: 'F', value: 'https://example.org', master_password: masterPassword };
    const field = await made(client.request({ path: fieldsPath(place), form }));
    expect((await valueOf(field.field_id)).toString()).toBe('https://example.org');
  });
});

describe('errors are exact, and nothing is stored', () => {
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    [
      'no master password',
      { type: 'note', value: 'x', master_password: undefined },
      { master_password: 'MasterPassword is missing' },
    ],
    [
      'an empty master password',
      { type: 'note', value: 'x', master_password: '' },
      { master_password: 'MasterPassword is missing' },
    ],
    ['null', { type: 'note', value: 'x', master_password: null }, { master_password: 'MasterPassword is missing' }],
    [
      'a wrong master password',
      { type: 'note', value: 'x', master_password: 'wrong' },
      { master_password: 'MasterPassword is invalid' },
    ],
    ['no text', { type: 'note', value: 'x', master_password: 7 }, { master_password: 'MasterPassword is invalid' }],
    [
      'too long',
      { type: 'note', value: 'x', master_password: 'x'.repeat(1025) },
      { master_password: 'MasterPassword is invalid' },
    ],
    ['no value', { type: 'note' }, { value: 'Field Value is missing' }],
    ['an empty value', { type: 'password', value: '' }, { value: 'Field Value is missing' }],
    ['no file', { type: 'file' }, { file: 'Field File is missing' }],
    ['an invalid TOTP secret', { type: 'TOTP', value: '1!' }, { value: 'Field Value is not a valid TOTP secret' }],
    [
      'an unknown type',
      { type: 'card', value: 'x' },
      { type: 'The type must be one of: password, link, note, file, TOTP.' },
    ],
    ['no type', { value: 'x' }, { type: 'The type is required.' }],
    [
      'an algorithm',
      { type: 'TOTP', value: 'MFRGG', totp_hash_algorithm: 'md5' },
      { totp_hash_algorithm: 'The totp hash algorithm must be one of: sha1, sha256, sha512.' },
    ],
    [
      'a period',
      { type: 'TOTP', value: 'MFRGG', totp_timeout: 0 },
      { totp_timeout: 'The totp timeout must be between 1 and 10000.' },
    ],
    [
      'a fractional period',
      { type: 'TOTP', value: 'MFRGG', totp_timeout: 1.5 },
      { totp_timeout: 'The totp timeout must be a whole number.' },
    ],
    [
      'several errors at once',
      { type: 'TOTP', totp_timeout: 0, master_password: '' },
      {
        totp_timeout: 'The totp timeout must be between 1 and 10000.',
        value: 'Field Value is missing',
        master_password: 'MasterPassword is missing',
      },
    ],
  ])('%s', async (_, members, texts) => {
    const before = await ada.client.request({ path: fieldsPath(place) });
    const answer = await ada.client.request({
      path: fieldsPath(place),
      json: { master_password: ada.masterPassword, ...members },
    });
    expect(answer.status).toBe(422);
    expect(answer.json()['errors']).toEqual(
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, [text]])),
    );
    const after = await ada.client.request({ path: fieldsPath(place) });
    expect(after.text).toBe(before.text);
    app.clock.advance(2 * 60_000); // wrong master passwords are counted over 15 minutes
  });

  test('a wrong master password has its own code and message', async () => {
    const field = await made(ada.createField(place, { type: 'note', value: 'x' }));
    const answer = await ada.decrypt({ ...place, f: field.field_id }, 'wrong');
    expect(answer.json()).toMatchObject({ code: 'master_password_invalid', message: 'MasterPassword is invalid' });
  });

  test('a secret in the query is refused and reaches no log line', async () => {
    const answer = await ada.client.request({
      method: 'POST',
      path: `${fieldsPath(place)}?master_password=canary-in-query`,
    });
    expect(answer.status).toBe(400);
    expect(app.log.join('\n')).not.toContain('canary-in-query');
  });
});

test('a given id is used; a repeat that contains a secret is always a conflict (T97)', async () => {
  const field_id = crypto.randomUUID();
  const members = { type: 'note', value: 'same', field_id };
  expect((await made(ada.createField(place, members))).field_id).toBe(field_id);
  const again = await ada.createField(place, members);
  expect([again.status, again.json()['code']]).toEqual([409, 'id_taken']);
});

describe('import', () => {
  const PATH = '/passwordBroker/api/import';
  const send = (file: Buffer, masterPassword = ada.masterPassword) => {
    const multipart = new FormData();
    multipart.append('master_password', masterPassword);
    multipart.append('file', new File([new Uint8Array(file)], 'vault.xml', { type: 'text/xml' }));
    return ada.client.request({ path: PATH, multipart });
  };
  const vault = keepassXml({
    name: 'Root',
    entries: [{ title: 'Mail', user: 'ada', password: 'imp0rted', url: 'https://mail.example', notes: 'n' }],
    groups: [
      { name: 'Deep', entries: [{ title: 'Bank', password: 'pin', files: { 'a.bin': Buffer.from([0, 1, 2, 255]) } }] },
    ],
  });

  test('reads, seals and stores; each tree gets its own name; the values can be opened and searched', async () => {
    const first = await send(vault);
    expect(first.status, first.text).toBe(201);
    expect(first.json()).toMatchObject({ kind: 'import', name: 'keepass' });
    expect((await send(vault)).json()).toMatchObject({ name: 'keepass (2)' });

    const found = await ada.client.request({ path: '/passwordBroker/api/entrySearch?q=mail' });
    const { data } = found.json<{
      data: { entry_id: string; entry_group_id: string; passwords: { field_id: string }[] }[];
    }>();
    expect(data).toHaveLength(2);
    const [row] = data;
    const answer = await ada.decrypt({ g: row!.entry_group_id, e: row!.entry_id, f: row!.passwords[0]!.field_id });
    expect(Buffer.from(answer.text, 'base64').toString()).toBe('imp0rted');
  });

  test('an attachment comes back byte for byte', async () => {
    const found = await ada.client.request({ path: '/passwordBroker/api/entrySearch?q=bank' });
    const [row] = found.json<{ data: { entry_id: string; entry_group_id: string; files: { field_id: string }[] }[] }>()
      .data;
    const answer = await ada.decrypt({ g: row!.entry_group_id, e: row!.entry_id, f: row!.files[0]!.field_id });
    expect([...Buffer.from(answer.text, 'base64')]).toEqual([0, 1, 2, 255]);
  });

  test.each([
    ['no file', undefined, 'x', { file: ['Field File is missing'] }],
    ['neither', undefined, '', { file: ['Field File is missing'], master_password: ['MasterPassword is missing'] }],
  ])('%s', async (_, _file, masterPassword, errors) => {
    const multipart = new FormData();
    multipart.append('master_password', masterPassword);
    const answer = await ada.client.request({ path: PATH, multipart });
    expect([answer.status, answer.json()['errors']]).toEqual([422, errors]);
  });

  test('a wrong master password is reported before errors of the file; nothing is stored, and the next import succeeds', async () => {
    const treesOf = async () => (await ada.client.request({ path: '/passwordBroker/api/entryGroups' })).text;
    const before = await treesOf();
    for (const file of [vault, vault.subarray(0, -30), Buffer.from('hello')]) {
      expect((await send(file, 'wrong')).json()).toMatchObject({ code: 'master_password_invalid' });
    }
    expect(await treesOf()).toBe(before);
    expect((await send(vault.subarray(0, -30))).json()).toMatchObject({ code: 'validation' });
    expect((await send(vault)).status).toBe(201);
  });

  test('a wrong master password is reported at once while another person’s import runs', async () => {
    let leave = () => {};
    let begin = () => {};
    // The lock of an import is held for a moment after its response.
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const others = app.deps.imports.run(() => {
      begin();
      return new Promise<void>((resolve) => (leave = resolve));
    });
    await begun;
    expect((await send(vault, 'wrong')).json()).toMatchObject({ code: 'master_password_invalid' });
    const waiting = send(vault);
    leave();
    await others;
    expect((await waiting).status).toBe(201);
  });
});

test.skipIf(isOnPostgres)(
  'a copy of an embedded database’s data folder contains no value, master password or account password',
  async () => {
    const canaries = [
      ada.masterPassword,
      ada.password,
      's3cr3t',
      'imp0rted',
      'JBSWY3DPEHPK3PXP',
      'https://mail.example',
      'первая',
    ];
    const spellings = canaries.flatMap((text) => {
      const bytes = Buffer.from(text);
      return [
        bytes,
        Buffer.from(bytes.toString('base64').replace(/=*$/, '')),
        Buffer.from(bytes.toString('hex')),
        Buffer.from(text, 'utf16le'),
      ];
    });
    const files = await readdir(app.dataDir, { recursive: true, withFileTypes: true });
    let searched = 0;
    for (const file of files.filter((one) => one.isFile())) {
      const content = await readFile(join(file.parentPath, file.name));
      searched += content.length;
      for (const spelling of spellings)
        expect(content.includes(spelling), `${file.name}: ${spelling.toString()}`).toBe(false);
    }
    expect(searched).toBeGreaterThan(1_000_000);
    for (const canary of canaries) expect(app.log.join('\n')).not.toContain(canary);
  },
);
