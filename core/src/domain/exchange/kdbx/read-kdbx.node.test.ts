/** IM3, IM4: KDBX files of kdbxweb in every form, files of KeePassXC, and what cannot be opened. */
import { readFile } from 'node:fs/promises';
import { type Kdbx, ProtectedValue } from 'kdbxweb';
import { describe, expect, test } from 'vitest';
import { type Bytes, encodeHex, utf8 } from '../../../crypto/bytes.ts';
import { type KdbxForm, credentialsOf, writtenByKdbxweb } from '../../../testing/exchange/kdbxweb-files.ts';
import { readKeepassXml } from '../../keepass/read.ts';
import { fileArgon2 } from '../file-argon2.ts';
import { type Given, detectFormat } from '../formats.ts';
import type { ExchangeTree } from '../tree.ts';
import { CIPHERS } from './header.ts';

const PASSWORD = 'correct horse – пароль 🔑';

/** As the client reads: by content, with the format's own code. */
async function read(file: Bytes, given: Given = { password: PASSWORD }, signal?: AbortSignal): Promise<ExchangeTree> {
  const blob = new Blob([file]);
  const { format, needs } = await detectFormat(blob);
  expect([format.id, needs]).toEqual(['kdbx', 'password']);
  const readIt = await format.load();
  return readIt(blob, given, { now: Date.now(), argon2: fileArgon2, signal });
}

/** Strings, protected ones in history too, and an attachment that two versions share. */
async function fill(database: Kdbx): Promise<void> {
  const group = database.createGroup(database.getDefaultGroup(), 'Büro');
  const entry = database.createEntry(group);
  entry.fields.set('Title', 'Router');
  entry.fields.set('UserName', 'admin');
  entry.fields.set('Password', ProtectedValue.fromString('first'));
  entry.fields.set('PIN', ProtectedValue.fromString('1234'));
  entry.binaries.set('a.bin', await database.createBinary(Uint8Array.of(0, 1, 254, 255).buffer));
  entry.pushHistory();
  entry.fields.set('Password', ProtectedValue.fromString('second <&> ö'));
  entry.times.lastModTime = new Date(Date.UTC(2025, 0, 2));
  for (const name of ['Second', 'Third']) {
    const other = database.createEntry(database.getDefaultGroup());
    other.fields.set('Title', name);
    other.fields.set('Password', ProtectedValue.fromString(`of ${name}`));
  }
}

const shown = ({ groups, entries }: ExchangeTree) => ({
  groups: groups.map(({ name, parent }) => [name, parent]),
  entries: entries.map(({ title, fields }) => [
    title,
    fields.map(({ type, revisions }) => [type, revisions.map(({ content }) => contentOf(content))]),
  ]),
});
const contentOf = (content: ExchangeTree['entries'][number]['fields'][number]['revisions'][number]['content']) =>
  content.type === 'file' ? [...content.bytes] : content.value;

const EXPECTED = {
  groups: [
    ['Passwords', null],
    ['Büro', 0],
  ],
  entries: [
    ['Second', [['password', ['of Second']]]],
    ['Third', [['password', ['of Third']]]],
    [
      'Router',
      [
        ['password', ['first', 'second <&> ö']],
        ['password', ['1234']],
        ['file', [[0, 1, 254, 255]]],
      ],
    ],
  ],
};

const FORMS: readonly KdbxForm[] = [
  // Programs write ChaCha20 in KDBX 4 alone.
  { major: 3, cipher: 'AES', kdf: 'AES' } as const,
  ...(['AES', 'ChaCha20'] as const).flatMap((cipher) =>
    (['AES', 'argon2d', 'argon2id'] as const).map((kdf) => ({ major: 4, cipher, kdf }) as const),
  ),
].flatMap((form) => [true, false].map((isCompressed) => ({ ...form, isCompressed })));

describe('IM3: every form', () => {
  test.each(FORMS)('KDBX $major, $cipher, $kdf, compressed: $isCompressed', async (form) => {
    const file = await writtenByKdbxweb(form, credentialsOf(PASSWORD), fill);
    expect(shown(await read(file))).toEqual(EXPECTED);
    await expect(read(file, { password: 'other' })).rejects.toMatchObject({
      code: 'wrong_password',
      message: 'The password or the key file is wrong.',
    });
  });
});

const RAW = Uint8Array.from({ length: 32 }, (_, at) => (at * 37) & 255);
const xmlKey = (version: string, data: string, hash = '') =>
  utf8(
    `<?xml version="1.0" encoding="utf-8"?>\n<KeyFile>\n<Meta><Version>${version}</Version></Meta>\n<Key><Data${hash}>\n${data}\n</Data></Key></KeyFile>`,
  );
const digestStart = Buffer.from(await crypto.subtle.digest('SHA-256', RAW)).toString('hex', 0, 4);

const KEY_FILES = [
  ['XML 1.0', xmlKey('1.00', Buffer.from(RAW).toString('base64'))],
  ['XML 2.0', xmlKey('2.0', encodeHex(RAW).replaceAll(/.{8}/g, '$& '), ` Hash="${digestStart.toUpperCase()}"`)],
  ['32 bytes', RAW],
  ['64 hexadecimal digits', utf8(encodeHex(RAW))],
  ['any file', utf8('any text at all, <even> this')],
] as const;

describe('IM3: key files', () => {
  const form = { major: 4, cipher: 'AES', kdf: 'AES', isCompressed: true } as const;
  test.each(KEY_FILES)('%s, alone and with a password', async (_, keyFile) => {
    const alone = await writtenByKdbxweb(form, credentialsOf(null, keyFile), fill);
    expect(shown(await read(alone, { password: '', keyFile }))).toEqual(EXPECTED);
    expect(shown(await read(alone, { keyFile }))).toEqual(EXPECTED);
    const both = await writtenByKdbxweb(form, credentialsOf(PASSWORD, keyFile), fill);
    expect(shown(await read(both, { password: PASSWORD, keyFile }))).toEqual(EXPECTED);
    await expect(read(both)).rejects.toMatchObject({ code: 'wrong_password' });
    await expect(read(both, { keyFile })).rejects.toMatchObject({ code: 'wrong_password' });
  });

  test('an empty password is one', async () => {
    const file = await writtenByKdbxweb(form, credentialsOf(''), fill);
    expect(shown(await read(file, {}))).toEqual(EXPECTED);
  });

  test('a damaged one, and one of a key provider', async () => {
    const file = await writtenByKdbxweb(form, credentialsOf(PASSWORD), fill);
    const broken = { message: 'The key file is damaged.' };
    const wrongDigest = xmlKey('2.0', encodeHex(RAW), ' Hash="00000000"');
    for (const keyFile of [wrongDigest, xmlKey('2.0', 'no hex'), xmlKey('3.0', 'AA')])
      await expect(read(file, { password: PASSWORD, keyFile })).rejects.toMatchObject(broken);
    const message =
      'This file needs more than a password and a key file. Remove that in your program for a copy, and import the copy.';
    await expect(read(file, { keyFile: utf8('<OtpInfo><Counter>1</Counter></OtpInfo>') })).rejects.toMatchObject({
      message,
    });
  });
});

const fixture = async (name: string, folder = 'exchange/kdbx'): Promise<Bytes> =>
  new Uint8Array(await readFile(new URL(`../../../testing/fixtures/${folder}/${name}`, import.meta.url)));

describe('IM3: files of KeePassXC', () => {
  test.each([3.1, 4])('KDBX %d: the same tree as its XML', async (version) => {
    const tree = await read(await fixture(`keepassxc-${version}.kdbx`), { password: 'example password' });
    const xml = await readKeepassXml(await fixture(`keepassxc-kdbx${Math.floor(version)}.xml`, 'keepass'));
    expect(tree.groups.map(({ name, parent }) => [name, parent])).toEqual(
      xml.groups.map(({ name, parent }) => [name, parent]),
    );
    const texts = ({ entries }: ExchangeTree) =>
      entries.map(({ title, tags, fields }) => ({ title, tags, fields: fields.filter(({ type }) => type !== 'file') }));
    expect(texts(tree)).toEqual(texts(xml));
    const files = tree.entries.flatMap(({ fields }) => fields.filter(({ type }) => type === 'file'));
    const sizes = files.map(({ revisions }) => revisions.map(({ content }) => contentOf(content).length));
    expect(sizes).toEqual(version === 4 ? [[0, 5000]] : [[331], [8]]);
  });

  test('password and key file together', async () => {
    const keyFile = await fixture('keepassxc-key-file.keyx');
    const tree = await read(await fixture('keepassxc-key-file.kdbx'), { password: 'example password', keyFile });
    expect(tree.entries.map(({ title, fields }) => [title, fields.length])).toEqual([['Entry with key file', 2]]);
  });
});

describe('IM3: what cannot be opened', () => {
  const form = { major: 4, cipher: 'AES', kdf: 'AES', isCompressed: true } as const;
  const refused = async (file: Bytes) =>
    read(file).then(
      () => 'opened',
      (error: Error) => error.message,
    );

  test('KeePass 1 and versions to come', async () => {
    const file = await writtenByKdbxweb(form, credentialsOf(PASSWORD), fill);
    const old = file.with(4, 0x65);
    await expect(detectFormat(new Blob([old]))).rejects.toThrow(
      'KeePass 1 files (.kdb) cannot be read. Open it in KeePass 2 or KeePassXC and save it as .kdbx.',
    );
    expect(await refused(file.with(10, 5))).toBe(
      'This version of KDBX cannot be read. Save the file as KDBX 4 in your program.',
    );
  });

  test('Twofish and unknown ciphers', async () => {
    const file = await writtenByKdbxweb(form, credentialsOf(PASSWORD), fill);
    const at = Buffer.from(file).indexOf(Buffer.from(CIPHERS.AES, 'hex'));
    const twofish = file.slice();
    twofish.set(Buffer.from('ad68f29f576f4bb9a36ad47af965346c', 'hex'), at);
    expect(await refused(twofish)).toBe(
      'The file uses Twofish. Change its encryption to AES or ChaCha20 in your program and save it.',
    );
    expect(await refused(file.with(at, 0))).toBe(
      'The file uses an unknown cipher. Change its encryption to AES or ChaCha20 in your program and save it.',
    );
  });

  test.each([
    ['rounds', 'AES', 'R', 8, 500_000_001n],
    ['memory', 'argon2d', 'M', 8, 2n * 1024n ** 3n],
    ['memory times passes', 'argon2id', 'I', 8, 2n ** 40n],
    ['lanes', 'argon2id', 'P', 4, 17n],
  ] as const)('a derivation that asks for too much: %s', async (_, kdf, key, length, value) => {
    const file = await writtenByKdbxweb({ ...form, kdf }, credentialsOf(PASSWORD), fill);
    // Type, length of the key, key, length of the value.
    const head = Buffer.from([length === 8 ? 5 : 4, 1, 0, 0, 0, key.charCodeAt(0), length, 0, 0, 0]);
    const number = Buffer.alloc(8);
    number.writeBigUInt64LE(value);
    const hostile = file.slice();
    hostile.set(number.subarray(0, length), Buffer.from(file).indexOf(head) + head.length);
    const started = Date.now();
    expect(await refused(hostile)).toBe(
      'Opening this file asks for more work than this browser should do. Save a copy with lower settings in your program.',
    );
    expect(Date.now() - started).toBeLessThan(1000);
  });

  test('an abort ends a derivation', async () => {
    const file = await fixture('keepassxc-4.kdbx');
    const aborting = new AbortController();
    const reading = read(file, { password: 'example password' }, aborting.signal);
    setTimeout(() => aborting.abort(new Error('enough')), 20);
    await expect(reading).rejects.toThrow('enough');
  });
});

describe('IM4: damage', () => {
  const texts = new Set([
    'The file could not be read: its text is damaged.',
    'The file could not be read: it is damaged.',
    'The file could not be read: it is cut off.',
    'The password or the key file is wrong.',
    'This file is of no kind that can be imported.',
    'KeePass 1 files (.kdb) cannot be read. Open it in KeePass 2 or KeePassXC and save it as .kdbx.',
    'This version of KDBX cannot be read. Save the file as KDBX 4 in your program.',
    'The file uses an unknown cipher. Change its encryption to AES or ChaCha20 in your program and save it.',
    'The file uses an unknown key derivation. Change it to Argon2 in your program and save it.',
    'Opening this file asks for more work than this browser should do. Save a copy with lower settings in your program.',
  ]);
  const outcomeOf = (file: Bytes) =>
    read(file).then(
      (tree) => shown(tree),
      (error: Error) => error.message,
    );

  const forms: readonly KdbxForm[] = [
    { major: 3, cipher: 'AES', kdf: 'AES', isCompressed: true },
    { major: 4, cipher: 'ChaCha20', kdf: 'AES', isCompressed: true },
  ];
  test.each(forms)('IM4: a flipped bit at 500 places of KDBX $major', async (form) => {
    const file = await writtenByKdbxweb(form, credentialsOf(PASSWORD), fill);
    for (let run = 0; run < 500; run += 1) {
      const at = Math.floor((run * file.length) / 500);
      const outcome = await outcomeOf(file.with(at, (file[at] ?? 0) ^ (1 << (run % 8))));
      // A flip of the minor version, or of the version 3 header's unauthenticated end, changes nothing.
      if (typeof outcome === 'string') expect(texts).toContain(outcome);
      else expect(outcome).toEqual(EXPECTED);
      // Versions 4 authenticate all of it.
      if (form.major === 4) expect(typeof outcome).toBe('string');
    }
  });

  test.each(forms)('IM4: KDBX $major cut anywhere', async (form) => {
    const file = await writtenByKdbxweb(form, credentialsOf(PASSWORD), fill);
    for (let length = 8; length < file.length; length += form.major === 3 ? 16 : 1)
      expect(texts).toContain(await outcomeOf(file.slice(0, length)));
  });
});
