/** Hostile ZIP archives end with a sentence, quickly and without unpacking more than a limit. */
import { expect, test } from 'vitest';
import { type ZipPart, zipOf } from '../../testing/exchange/zip-files.ts';
import { utf8 } from '../../crypto/bytes.ts';
import { EXCHANGE_LIMITS as LIMITS, ExchangeError } from './exchange-error.ts';
import { openZip } from './zip.ts';

const MIB = 1024 * 1024;
const MOST_MS = 5000;
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const openParts = (parts: readonly ZipPart[]) => openZip(new Blob([zipOf(parts)]));

async function refusalOf(step: () => Promise<unknown>): Promise<string> {
  const start = performance.now();
  try {
    await step();
    return 'read';
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return error.message;
  } finally {
    expect(performance.now() - start).toBeLessThan(MOST_MS);
  }
}

const unpackAll = async (bytes: Uint8Array<ArrayBuffer>, kind: 'text' | 'file' = 'text') => {
  const zip = await openZip(new Blob([bytes]));
  for (const name of zip.names) await zip[kind](name);
};
const refusalOfParts = (parts: readonly ZipPart[], kind?: 'text' | 'file') => {
  const bytes = zipOf(parts);
  return refusalOf(() => unpackAll(bytes, kind));
};

test('reads stored and packed files by their names; folders are no files', async () => {
  const zip = await openParts([
    { name: 'folder/', content: '', isStored: true },
    { name: 'folder/a.txt', content: 'one' },
    { name: '../b\\ü.txt', content: 'two', isStored: true },
    { name: 'empty', content: '' },
  ]);
  expect(zip.names).toEqual(['folder/a.txt', '../b\\ü.txt', 'empty']);
  expect(text(await zip.text('folder/a.txt'))).toBe('one');
  expect(text(await zip.file('../b\\ü.txt'))).toBe('two');
  expect((await zip.file('empty')).length).toBe(0);
  expect(await refusalOf(() => zip.text('__proto__'))).toBe('The file could not be read: a file is missing in it.');
});

test('a bomb is refused by what it says, and by what it unpacks to', async () => {
  const zeros = new Uint8Array(60 * MIB);
  expect(await refusalOfParts([{ name: 'a', content: zeros }])).toBe(
    'The file could not be read: it unpacks to an implausible size.',
  );
  expect(await refusalOfParts([{ name: 'a', content: zeros }], 'file')).toBe('The file unpacks to more than 25 MiB.');
  for (const size of [1, MIB])
    expect(await refusalOfParts([{ name: 'a', content: zeros, size }])).toBe(
      'The file could not be read: it is damaged.',
    );
  expect(await refusalOfParts([{ name: 'a', content: 'x', size: 2 ** 32 - 2 }])).toBe(
    'The file unpacks to more than 256 MiB.',
  );
});

test('all files together have a limit', async () => {
  const content = new Uint8Array(21 * MIB).map((_, at) => at * 7 + (at >> 9));
  const parts = [1, 2, 3, 4, 5].map((number) => ({ name: `file ${number}`, content, isStored: true }));
  expect(await refusalOfParts(parts, 'file')).toBe('The file unpacks to more than 100 MiB.');
});

test('an archive above 256 MiB is not opened', async () => {
  const large = new Blob(Array<Uint8Array<ArrayBuffer>>(257).fill(new Uint8Array(MIB)));
  expect(await refusalOf(() => openZip(large))).toBe('The file is larger than 256 MiB.');
});

test('entries that share bytes are refused', async () => {
  const parts = [
    { name: 'a', content: 'x'.repeat(5000), isStored: true },
    { name: 'a', content: 'y', isStored: true, offset: 0 },
  ];
  expect(await refusalOfParts(parts)).toBe('The file could not be read: it has two files of the same name.');
  const same = { content: 'x'.repeat(5000), isStored: true };
  expect(
    await refusalOfParts([
      { name: 'a', ...same },
      { name: 'b', ...same, offset: 0 },
    ]),
  ).toBe('The file could not be read: it is damaged.');
});

test('encrypted entries and links are refused', async () => {
  expect(await refusalOfParts([{ name: 'a', content: 'x', flags: 0x801 }])).toBe(
    'The ZIP file is encrypted. Unpack it with another program and import what is in it.',
  );
  expect(await refusalOfParts([{ name: 'a', content: '/etc/passwd', mode: 0o120_777 }])).toBe(
    'The file could not be read: it contains a link.',
  );
});

test('10,000 files are read, 10,001 are refused', async () => {
  const parts = Array.from({ length: LIMITS.archiveEntries + 1 }, (_, at) => ({
    name: String(at),
    content: '',
    isStored: true,
  }));
  expect(await refusalOfParts(parts)).toBe('The file could not be read: it has too many files.');
  expect((await openParts(parts.slice(1))).names).toHaveLength(LIMITS.archiveEntries);
});

test('wrong checksums and lengths are damage', async () => {
  const part = { name: 'a', content: 'some text, some text, some text' };
  for (const lie of [{ crc: 1 }, { packedSize: 3 }, { size: 3 }, { size: 300 }, { offset: 9 }])
    expect(await refusalOfParts([{ ...part, ...lie }]), JSON.stringify(lie)).toBe(
      'The file could not be read: it is damaged.',
    );
  expect(await refusalOfParts([{ ...part, packedSize: 60_000 }])).toBe('The file could not be read: it is cut off.');
});

test('a cut at any place ends with a sentence', async () => {
  const whole = zipOf([
    { name: 'a', content: 'some text' },
    { name: 'b', content: 'other', isStored: true },
  ]);
  for (let length = 0; length < whole.length; length += 1)
    expect(await refusalOf(() => unpackAll(whole.slice(0, length)))).toMatch(/it is (?:cut off|damaged)\.$/);
});

test('a flipped bit is noticed or changes no content', async () => {
  const parts = [
    { name: 'a', content: 'some text' },
    { name: 'b', content: 'other', isStored: true },
  ];
  const whole = zipOf(parts);
  for (let bit = 0; bit < whole.length * 8; bit += 3) {
    const bytes = whole.slice();
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    await refusalOf(async () => {
      const zip = await openZip(new Blob([bytes]));
      for (const name of zip.names) expect(['some text', 'other']).toContain(text(await zip.text(name)));
    });
  }
});

test('ends when it is cancelled', async () => {
  const stop = new AbortController();
  const zip = await openZip(new Blob([zipOf([{ name: 'a', content: utf8('x') }])]), stop.signal);
  stop.abort(new Error('stopped'));
  await expect(zip.text('a')).rejects.toThrow('stopped');
});
