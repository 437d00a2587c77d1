/** Transfer codes of authenticator apps, made here member by member, and damaged ones. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concat, encodeBase64, utf8 } from '../../crypto/bytes.ts';
import { bytesOf, RUNS } from '../../testing/arbitraries.ts';
import { fileArgon2 } from './file-argon2.ts';
import { detectFormat } from './formats.ts';
import { readMigration } from './otp-migration.ts';

const member = (number: number, content: Uint8Array | number): Uint8Array =>
  typeof content === 'number'
    ? Uint8Array.of(number * 8, content)
    : concat(Uint8Array.of(number * 8 + 2, content.length), content);

interface Told {
  readonly name?: string;
  readonly issuer?: string;
  readonly algorithm?: number;
  readonly digits?: number;
  readonly type?: number;
  readonly counter?: number;
}

const SECRET = utf8('Hello!\u00DE\u00AD'.slice(0, 6));
const account = ({ name = 'anna', issuer = '', algorithm = 1, digits = 1, type = 2, counter = 0 }: Told = {}) =>
  member(
    1,
    concat(
      member(1, SECRET),
      member(2, utf8(name)),
      ...(issuer === '' ? [] : [member(3, utf8(issuer))]),
      member(4, algorithm),
      member(5, digits),
      member(6, type),
      ...(counter === 0 ? [] : [member(7, counter)]),
    ),
  );
/** The accounts, then version, size, index and id of the batch. */
const payload = (...accounts: readonly Uint8Array[]) =>
  concat(...accounts, member(2, 1), member(3, 1), member(4, 0), Uint8Array.of(40, 0x80, 0x80, 0x80, 0x80, 0x08));
const address = (bytes: Uint8Array) => `otpauth-migration://offline?data=${encodeURIComponent(encodeBase64(bytes))}`;

async function read(text: string) {
  const file = new Blob([text]);
  const { format, table } = await detectFormat(file);
  const given = format.id === 'csv' && table !== null ? { columns: table.proposed } : {};
  const tree = await (await format.load())(file, given, { now: Date.UTC(2026, 10, 1), argon2: fileArgon2 });
  return { id: format.id, tree };
}

const fieldsOf = ({ tree }: Awaited<ReturnType<typeof read>>) =>
  tree.entries.map(({ title, fields }) => [
    title,
    ...fields.map(({ revisions }) => {
      const content = revisions[0]?.content;
      return content?.type === 'TOTP'
        ? `${content.title} = ${content.value} ${content.algorithm} ${content.period}`
        : `${content?.type} ${content?.title} = ${content !== undefined && 'value' in content ? content.value : ''}`;
    }),
  ]);

test('a text file of transfer codes and addresses', async () => {
  const code = address(
    payload(
      account({ name: 'Mail:anna', issuer: 'Mail' }),
      account({ name: 'bert', issuer: 'Shop', algorithm: 3 }),
      account({ name: 'by counter', type: 1, counter: 7 }),
      account({ name: 'eight', digits: 2, algorithm: 2 }),
      account({ name: '', algorithm: 4 }),
    ),
  );
  const one = 'otpauth://totp/Git:cleo?secret=JBSWY3DPEHPK3PXP&issuer=Git&period=60';
  const found = await read(`${code}\r\n\r\n${one}\n`);
  expect(found.id).toBe('otpauth');
  expect(fieldsOf(found)).toEqual([
    [
      'Imported codes',
      'Mail:anna = JBSWY3DPEE sha1 30',
      'Shop: bert = JBSWY3DPEE sha512 30',
      'password by counter = otpauth://hotp/by%20counter?secret=JBSWY3DPEE&algorithm=SHA1&digits=6&counter=7',
      'password eight = otpauth://totp/eight?secret=JBSWY3DPEE&algorithm=SHA256&digits=8',
      'password One-time password (kept as text) = otpauth://totp/?secret=JBSWY3DPEE&algorithm=MD5&digits=6',
    ],
    ['Git: cleo', 'One-time password = JBSWY3DPEHPK3PXP sha1 60'],
  ]);
  expect(found.tree.skipped).toEqual([
    {
      kind: 'one-time password',
      reason: 'not a time-based code of six digits, so it is kept as text',
      count: 3,
      places: ['Imported codes', 'Imported codes', 'Imported codes'],
    },
  ]);
});

test('a transfer code in a cell of a table', async () => {
  const code = address(payload(account({ name: 'a' }), account({ name: 'b' })));
  const found = await read(`name,url,username,password,note\nMail,,anna,pw,${code}\n`);
  expect(fieldsOf(found)).toEqual([
    ['Mail', 'password Password = pw', 'a = JBSWY3DPEE sha1 30', 'b = JBSWY3DPEE sha1 30'],
  ]);
});

test('a damaged code is kept as text', async () => {
  const code = address(payload(account()).slice(0, 12));
  expect(fieldsOf(await read(code))).toEqual([
    ['Imported codes', `password One-time password (kept as text) = ${code}`],
  ]);
});

test('any bytes end with accounts or nothing', () => {
  fc.assert(
    fc.property(bytesOf({ maxLength: 80 }), (bytes) => {
      const found = readMigration(address(bytes));
      expect(found === null || found.length > 0).toBe(true);
    }),
    { numRuns: RUNS },
  );
});
