/** Exports of Bitwarden (IM2, IM6). */
import { webcrypto } from 'node:crypto';
import { expect, test } from 'vitest';
import { concat, encodeBase64, utf8 } from '../../../crypto/bytes.ts';
import { fixture, fixturePath, fixtureText, readFile, refusalOf } from '../../../testing/exchange/read-file.ts';
import { treeText } from '../../../testing/exchange/tree-text.ts';
import { zipOf } from '../../../testing/exchange/zip-files.ts';
import { fileArgon2 } from '../file-argon2.ts';
import { detectFormat } from '../formats.ts';

const USUAL = fixtureText('bitwarden/usual.json');

test.each(['usual', 'odd'])('IM2: %s', async (name) => {
  const { id, tree } = await readFile(fixture(`bitwarden/${name}.json`));
  expect(id).toBe('bitwarden');
  await expect(treeText(tree)).toMatchFileSnapshot(fixturePath(`bitwarden/${name}.expected.json`));
});

test('IM2: every member of the usual export has a rule', async () => {
  const { tree } = await readFile(fixture('bitwarden/usual.json'));
  expect(tree.skipped.filter(({ kind }) => kind === 'member')).toEqual([]);
});

test('a file that is cut off', async () => {
  expect(await refusalOf(fixture('bitwarden/broken.txt'))).toBe('The file could not be read: it is cut off.');
});

interface Numbers {
  readonly kdfType: number;
  readonly kdfIterations: number;
  readonly kdfMemory?: number;
  readonly kdfParallelism?: number;
}
const PBKDF2: Numbers = { kdfType: 0, kdfIterations: 5000 };
const ARGON2: Numbers = { kdfType: 1, kdfIterations: 2, kdfMemory: 16, kdfParallelism: 4 };
const PASSWORD = 'correct horse ü';
const SALT = 'c2FsdCBpbiBiYXNlNjQ=';
const { subtle } = webcrypto;

/** As Bitwarden's own code does it, apart from ours. */
async function protectedExport(numbers: Numbers, content = USUAL): Promise<Record<string, unknown>> {
  const argon2 = async () => {
    const salt = new Uint8Array(await subtle.digest('SHA-256', utf8(SALT)));
    const { kdfIterations: iterations, kdfMemory = 0, kdfParallelism = 0 } = numbers;
    const cost = { memoryKib: kdfMemory * 1024, iterations, parallelism: kdfParallelism, length: 32 };
    return fileArgon2({ type: 'argon2id', password: utf8(PASSWORD), salt, ...cost });
  };
  const pbkdf2 = async () => {
    const key = await subtle.importKey('raw', utf8(PASSWORD), 'PBKDF2', false, ['deriveBits']);
    const cost = { name: 'PBKDF2', hash: 'SHA-256', salt: utf8(SALT), iterations: numbers.kdfIterations };
    return new Uint8Array(await subtle.deriveBits(cost, key, 256));
  };
  const master = await (numbers.kdfType === 1 ? argon2() : pbkdf2());
  const hmac = async (key: Uint8Array, data: Uint8Array) => {
    const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return new Uint8Array(await subtle.sign('HMAC', imported, data));
  };
  const expand = (info: string) => hmac(master, concat(utf8(info), Uint8Array.of(1)));
  const [enc, mac] = [await expand('enc'), await expand('mac')];
  const seal = async (text: string) => {
    const iv = webcrypto.getRandomValues(new Uint8Array(16));
    const key = await subtle.importKey('raw', enc, 'AES-CBC', false, ['encrypt']);
    const sealed = new Uint8Array(await subtle.encrypt({ name: 'AES-CBC', iv }, key, utf8(text)));
    return `2.${[iv, sealed, await hmac(mac, concat(iv, sealed))].map(encodeBase64).join('|')}`;
  };
  return {
    encrypted: true,
    passwordProtected: true,
    salt: SALT,
    kdfMemory: null,
    kdfParallelism: null,
    ...numbers,
    encKeyValidation_DO_NOT_EDIT: await seal('a check value'),
    data: await seal(content),
  };
}

test.each([
  ['PBKDF2', PBKDF2],
  ['Argon2id', ARGON2],
])('IM6: opens with the password, %s', async (_, numbers) => {
  const text = JSON.stringify(await protectedExport(numbers));
  expect((await detectFormat(new Blob([text]))).needs).toBe('password');
  const { tree } = await readFile(text, { password: PASSWORD });
  expect(tree).toEqual((await readFile(USUAL)).tree);
  expect(await refusalOf(text, { password: `${PASSWORD} ` })).toBe('The password is wrong.');
  expect(await refusalOf(text)).toBe('The password is wrong.');
});

const TOO_MUCH =
  'Opening this file asks for more work than this browser should do. Save a copy with lower settings in your program.';
const DAMAGED = 'The file could not be read: it is damaged.';

test.each([
  [{ ...PBKDF2, kdfIterations: 2_000_001 }, TOO_MUCH],
  [{ ...PBKDF2, kdfIterations: 1e300 }, TOO_MUCH],
  [{ ...PBKDF2, kdfIterations: 4999 }, DAMAGED],
  [{ ...PBKDF2, kdfIterations: 6000.5 }, DAMAGED],
  [{ ...ARGON2, kdfMemory: 1025 }, TOO_MUCH],
  [{ ...ARGON2, kdfIterations: 11 }, TOO_MUCH],
  [{ ...ARGON2, kdfParallelism: 17 }, TOO_MUCH],
  [{ ...ARGON2, kdfMemory: 15 }, DAMAGED],
  [{ ...ARGON2, kdfParallelism: 0 }, DAMAGED],
  [{ ...ARGON2, kdfIterations: -1 }, DAMAGED],
  [{ ...ARGON2, kdfType: 2 }, DAMAGED],
])('IM6: numbers out of range are refused before any work: %o', async (numbers, sentence) => {
  const sealed = { ...(await protectedExport(PBKDF2, '{}')), ...numbers };
  expect(await refusalOf(JSON.stringify(sealed), { password: PASSWORD })).toBe(sentence);
});

test('IM6: a changed ciphertext, tag or check value is refused', async () => {
  const whole = await protectedExport(PBKDF2);
  const changed = (member: string, part: number) => {
    const parts = String(whole[member]).slice(2).split('|');
    const text = parts[part] ?? '';
    parts[part] = `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
    return JSON.stringify({ ...whole, [member]: `2.${parts.join('|')}` });
  };
  for (const part of [0, 1, 2]) {
    expect(await refusalOf(changed('data', part), { password: PASSWORD })).toBe(DAMAGED);
    expect(await refusalOf(changed('encKeyValidation_DO_NOT_EDIT', part), { password: PASSWORD })).toBe(
      'The password is wrong.',
    );
  }
  expect(await refusalOf(JSON.stringify({ ...whole, data: '0.x|y' }), { password: PASSWORD })).toBe(DAMAGED);
});

test('IM6: an export for one account is refused with what to do', async () => {
  const sentence =
    'This export opens only in the Bitwarden account that made it. Export again with “Password protected” or without encryption.';
  const restricted = { encrypted: true, encKeyValidation_DO_NOT_EDIT: '2.a|b|c', folders: [], items: [] };
  expect(await refusalOf(JSON.stringify(restricted))).toBe(sentence);
  expect(await refusalOf(JSON.stringify({ encrypted: true, passwordProtected: false, data: '' }))).toBe(sentence);
});

test('a ZIP with attachments', async () => {
  const item = (at: number) => `attachments/a1000000-0000-4000-8000-00000000000${at}`;
  const zip = zipOf([
    { name: 'data.json', content: USUAL },
    { name: `${item(1)}/letter.txt`, content: 'Dear Anna' },
    { name: `${item(1)}/../../evil.txt`, content: 'only a name' },
    { name: `${item(4)}/empty.bin`, content: '' },
    { name: 'attachments/nobody/lost.txt', content: 'x' },
    { name: 'readme.txt', content: 'x' },
  ]);
  const { id, tree } = await readFile(zip);
  expect(id).toBe('bitwarden-zip');
  const files = tree.entries.flatMap(({ title, fields }) =>
    fields.flatMap(({ revisions: [revision] }) =>
      revision?.content.type === 'file'
        ? [[title, revision.content.name, new TextDecoder().decode(revision.content.bytes)]]
        : [],
    ),
  );
  expect(files).toEqual([
    ['Mail', 'letter.txt', 'Dear Anna'],
    ['Mail', '.._.._evil.txt', 'only a name'],
    ['A note', 'empty.bin', ''],
  ]);
  expect(tree.skipped.filter(({ kind }) => kind === 'file')).toEqual([
    { kind: 'file', reason: 'belongs to no entry', count: 2, places: ['readme.txt', 'attachments/nobody/lost.txt'] },
  ]);
});
