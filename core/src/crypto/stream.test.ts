/**
 * Sealed file bodies: P9, frozen bodies at chunk boundaries, streams in any pieces (docs/spec/crypto.md §11).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '#primitives';
import { RUNS, bytesOf } from '../testing/arbitraries.ts';
import frozen from '../testing/fixtures/pb1_frozen.json' with { type: 'json' };
import { errorCodeOf } from '../testing/error-code.ts';
import { type Bytes, concat, decodeHex, encodeHex, randomBytes, sameBytes } from './bytes.ts';
import { BODY_HEADER_BYTES, CHUNK_BYTES, collect, openStream, sealStream, sealedBodySize } from './stream.ts';

const SEALED = CHUNK_BYTES + 16;
const field = 'c0ffee00-aaaa-4bbb-8ccc-ddddeeeeffff';
const key = randomBytes(32);
const plain = (size: number): Bytes => Uint8Array.from({ length: size }, (_, at) => at % 251);
const seal = (bytes: Bytes) => collect(sealStream(key, field, [bytes]));
const openBody = (body: Uint8Array, fileKey = key, fieldId = field) => collect(openStream(fileKey, fieldId, [body]));
const chunksOf = (body: Bytes): Bytes[] =>
  Array.from({ length: Math.ceil((body.length - BODY_HEADER_BYTES) / SEALED) }, (_, at) =>
    body.slice(BODY_HEADER_BYTES + at * SEALED, BODY_HEADER_BYTES + (at + 1) * SEALED),
  );
const joined = (body: Bytes, chunks: readonly Bytes[]) => concat(body.subarray(0, BODY_HEADER_BYTES), ...chunks);

describe('a file', () => {
  const around = [0, 1, 2].flatMap((n) => [-17, -16, -15, -1, 0, 1, 15, 16, 17].map((by) => n * CHUNK_BYTES + by));
  test.each(around.filter((size) => size >= 0))('P9 of %i bytes opens again', async (size) => {
    const body = await seal(plain(size));
    expect(body.length).toBe(sealedBodySize(size));
    expect(sameBytes(await openBody(body), plain(size))).toBe(true);
  });

  test('P9 opens from pieces of any length', async () => {
    const size = 2 * CHUNK_BYTES + 5;
    const body = await seal(plain(size));
    const cuts = fc.array(fc.nat(body.length), { maxLength: 20 }).map((drawn) => drawn.toSorted((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const pieces = [0, ...at].map((from, index) => body.subarray(from, at[index] ?? body.length));
        expect(sameBytes(await collect(openStream(key, field, pieces)), plain(size))).toBe(true);
      }),
      { numRuns: 50 },
    );
    const single = Array.from({ length: 40 }, (_, at) => plain(40).subarray(at, at + 1));
    expect(sameBytes(await openBody(await collect(sealStream(key, field, single))), plain(40))).toBe(true);
  });

  test('P9 has a different body at every upload', async () => {
    expect(sameBytes(await seal(plain(100)), await seal(plain(100)))).toBe(false);
  });
});

describe('P9 rejects a body', () => {
  const sizes = [3 * CHUNK_BYTES, 2 * CHUNK_BYTES + 9, CHUNK_BYTES, 1];

  test.each(sizes)('of %i bytes with a chunk dropped, doubled or swapped', async (size) => {
    const body = await seal(plain(size));
    const chunks = chunksOf(body);
    for (const [at, chunk] of chunks.entries()) {
      const without = chunks.filter((_, index) => index !== at);
      const last = Math.max(0, chunks.length - 2);
      const dropped = at === chunks.length - 1 ? last : at;
      expect(await errorCodeOf(() => openBody(joined(body, without)))).toBe(`file_chunk ${dropped}`);
      const doubled = chunks.toSpliced(at, 0, chunk);
      const refused = await errorCodeOf(() => openBody(joined(body, doubled)));
      expect(refused).toMatch(/^file_chunk [0-9]+$/);
      for (const [other, second] of chunks.entries()) {
        if (other === at) continue;
        const swapped = chunks.with(at, second).with(other, chunk);
        expect(await errorCodeOf(() => openBody(joined(body, swapped)))).toMatch(/^file_chunk [0-9]+$/);
      }
    }
  });

  test('that is truncated', async () => {
    const body = await seal(plain(CHUNK_BYTES + 50));
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), async (length) => {
        const expected =
          length < BODY_HEADER_BYTES ? 'file_header' : `file_chunk ${length - BODY_HEADER_BYTES <= SEALED ? 0 : 1}`;
        expect(await errorCodeOf(() => openBody(body.subarray(0, length)))).toBe(expected);
      }),
      { numRuns: 200 },
    );
    for (const length of [0, 4, 35, 36, 37, 51, 52, BODY_HEADER_BYTES + SEALED, body.length - 1]) {
      expect(await errorCodeOf(() => openBody(body.subarray(0, length)))).not.toBe('no error');
    }
  });

  test('with any bit flipped', async () => {
    const body = await seal(plain(200));
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.nat(7), async (at, bit) => {
        const changed = body.slice();
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        expect(await errorCodeOf(() => openBody(changed))).toBe(at < 4 ? 'file_header' : 'file_chunk 0');
      }),
      { numRuns: RUNS },
    );
  });

  test('that is extended, joined to another, of another field or upload', async () => {
    const body = await seal(plain(300));
    await fc.assert(
      fc.asyncProperty(bytesOf({ minLength: 1, maxLength: 200 }), async (more) => {
        expect(await errorCodeOf(() => openBody(concat(body, more)))).toBe('file_chunk 0');
      }),
      { numRuns: 100 },
    );
    expect(await errorCodeOf(async () => openBody(concat(body, await seal(plain(300)))))).toBe('file_chunk 0');
    expect(await errorCodeOf(() => openBody(body, key, 'ffffffff-aaaa-4bbb-8ccc-ddddeeeeffff'))).toBe('file_chunk 0');
    expect(await errorCodeOf(() => openBody(body, randomBytes(32)))).toBe('file_chunk 0');
    expect(await errorCodeOf(() => openBody(body, new Uint8Array(31)))).toBe('key_length');
  });

  test('with an empty final chunk after a full one, even if its tag is valid', async () => {
    const body = await collect(sealStream(key, field, [plain(CHUNK_BYTES)], new Uint8Array(32)));
    const forged = await forgeEmptyFinal(body);
    expect(await errorCodeOf(() => openBody(forged))).toBe('file_empty_final');
  });

  test('and returns nothing after the rejected chunk', async () => {
    const body = await seal(plain(3 * CHUNK_BYTES));
    const at = BODY_HEADER_BYTES + SEALED + 7;
    body[at] = (body[at] ?? 0) ^ 1;
    const handed: number[] = [];
    const refused = await errorCodeOf(async () => {
      for await (const chunk of openStream(key, field, [body])) handed.push(chunk.length);
    });
    expect([refused, handed]).toEqual(['file_chunk 1', [CHUNK_BYTES]]);
  });
});

/**
 * Chunk 0 not marked as last, then an empty last chunk; only a holder of the file key can make it.
 */
async function forgeEmptyFinal(body: Bytes): Promise<Bytes> {
  const { subtle } = crypto;
  const { deriveBytes } = await import('./kdf.ts');
  const bytes = await deriveBytes(key, body.slice(4, BODY_HEADER_BYTES), ['pb1:file', field], 32);
  const aes = await subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt']);
  const iv = (index: number, final: number) => Uint8Array.from([...new Uint8Array(10), index, final]);
  const sealed = async (index: number, final: number, part: Bytes) =>
    new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv: iv(index, final) }, aes, part));
  return joined(body, [await sealed(0, 0, plain(CHUNK_BYTES)), await sealed(1, 1, new Uint8Array(0))]);
}

describe('frozen bodies', () => {
  test.each(frozen.files.map((row) => [row.size, row] as const))('%i bytes', async (size, row) => {
    const fileKey = decodeHex(row.file_key_hex);
    const body = await collect(sealStream(fileKey, frozen.ids.field_id, [plain(size)], decodeHex(row.file_salt_hex)));
    expect([body.length, encodeHex(await sha256(body))]).toEqual([row.body_length, row.body_sha256]);
    expect(sameBytes(await collect(openStream(fileKey, frozen.ids.field_id, [body])), plain(size))).toBe(true);
  });
});
