import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodingFor, pack } from './packed.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'passwordbroker-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function* pieces(count: number, fails = false): AsyncGenerator<string> {
  for (let at = 0; at < count; at += 1) yield `${at} Zoë ${crypto.randomUUID()}\n`;
  if (fails) throw new Error('in the middle');
}

test.each([
  ['br', 'in memory', 1_000_000],
  ['gzip', 'in a file', 1000],
] as const)(
  'what is packed with %s %s unpacks to the same text and leaves no file behind',
  async (encoding, _where, inMemory) => {
    const all: string[] = [];
    const source = async function* () {
      for await (const piece of pieces(5000)) {
        all.push(piece);
        yield piece;
      }
    };
    const packed = await pack(source(), { folder, encoding, inMemory });
    expect(await readdir(folder)).toEqual([]);
    expect(packed.textSize).toBe(Buffer.byteLength(all.join('')));
    expect(packed.size).toBeLessThan(packed.textSize);
    let size = 0;
    const stream = packed.open().on('data', (bytes: Buffer) => void (size += bytes.length));
    expect(await text(stream.pipe(encoding === 'br' ? createBrotliDecompress() : createGunzip()))).toBe(all.join(''));
    expect(size).toBe(packed.size);
  },
);

test('without an encoding the text is stored as it is', async () => {
  const packed = await pack(pieces(3), { folder, encoding: null });
  expect([packed.size, (await text(packed.open())).split('\n')]).toEqual([packed.textSize, expect.any(Array)]);
});

test('a piece of any length is packed completely, without splitting a character', async () => {
  const long = `x${'ë🔑☂'.repeat(60_000)}`;
  const source = async function* () {
    yield '';
    yield long;
    yield 'end';
  };
  for (const encoding of [null, 'br'] as const) {
    const packed = await pack(source(), { folder, encoding });
    const stream = encoding === null ? packed.open() : packed.open().pipe(createBrotliDecompress());
    expect((await text(stream)) === `${long}end`).toBe(true);
    expect(packed.textSize).toBe(Buffer.byteLength(long) + 3);
  }
});

test('a failing source fails the packing, and a discarded text leaves no file', async () => {
  await expect(pack(pieces(5000, true), { folder, encoding: 'gzip', inMemory: 1000 })).rejects.toThrow('in the middle');
  const packed = await pack(pieces(5000), { folder, encoding: 'gzip', inMemory: 1000 });
  await packed.discard();
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  [null, null],
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['BR;q=0, gzip;q=0.5', 'gzip'],
  ['br; q=0.0', null],
  ['brown, gzipped', null],
])('Accept-Encoding %j selects %j', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
});
