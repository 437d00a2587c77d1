/** Properties P1–P6 of docs/spec/threats.md §4.4. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bound, RUNS, bound, bytesOf, key32 } from '../testing/arbitraries.ts';
import { errorCodeOf } from '../testing/error-code.ts';
import { type Bytes, concat, encodeHex, randomBytes } from './bytes.ts';
import { KIND, type Kind, SEAL_OVERHEAD, importSealingKey, open, seal } from './seal.ts';

const plaintext = bytesOf({ maxLength: 300 });
const sealUnder = async (key: Bytes, { kind, context }: Bound, bytes: Bytes) =>
  seal(kind, await importSealingKey(key), context, bytes);
const openUnder = async (key: Bytes, { kind, context }: Bound, blob: Bytes) =>
  open(kind, await importSealingKey(key), context, blob);

describe('a sealed blob', () => {
  test('P1 opens again, for any kind and length', async () => {
    const property = fc.asyncProperty(key32, bound, plaintext, async (key, place, bytes) => {
      const blob = await sealUnder(key, place, bytes);
      expect(blob.length).toBe(bytes.length + SEAL_OVERHEAD);
      expect(await openUnder(key, place, blob)).toEqual(bytes);
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  test.each([0, 1, 15, 16, 17, 65_535, 65_536, 1_048_575, 1_048_576])('P1 opens again: %i bytes', async (length) => {
    const bytes = randomBytes(length);
    const place: Bound = { kind: 'doc', context: { userId: 'u', name: 'pins', n: 1 } };
    const key = randomBytes(32);
    expect(encodeHex(await openUnder(key, place, await sealUnder(key, place, bytes)))).toBe(encodeHex(bytes));
  });

  test('P2 does not open with any bit flipped', async () => {
    const property = fc.asyncProperty(
      key32,
      bound,
      plaintext,
      fc.nat(),
      fc.nat(7),
      async (key, place, bytes, at, bit) => {
        const blob = await sealUnder(key, place, bytes);
        const index = at % blob.length;
        blob[index] = (blob[index] ?? 0) ^ (1 << bit);
        const expected = index < 3 ? 'version' : index < 4 ? 'kind' : index < 68 ? 'commit' : 'tag';
        expect(await errorCodeOf(() => openUnder(key, place, blob))).toBe(expected);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  test('P3 does not open if truncated or extended', async () => {
    const property = fc.asyncProperty(
      key32,
      bound,
      plaintext,
      fc.nat(),
      bytesOf({ minLength: 1, maxLength: 40 }),
      async (key, place, bytes, at, more) => {
        const blob = await sealUnder(key, place, bytes);
        const cut = blob.slice(0, at % blob.length);
        expect(await errorCodeOf(() => openUnder(key, place, cut))).toBe(cut.length < SEAL_OVERHEAD ? 'short' : 'tag');
        expect(await errorCodeOf(() => openUnder(key, place, concat(blob, more)))).toBe('tag');
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  test('P4 does not open in another context', async () => {
    const property = fc.asyncProperty(key32, bound, bound, plaintext, async (key, place, other, bytes) => {
      fc.pre(place.kind === other.kind && JSON.stringify(place.context) !== JSON.stringify(other.context));
      expect(await errorCodeOf(async () => openUnder(key, other, await sealUnder(key, place, bytes)))).toBe('commit');
    });
    await fc.assert(property, { numRuns: RUNS, maxSkipsPerRun: 1000 });
  });

  test('P4 does not open with one element of its context changed', async () => {
    const property = fc.asyncProperty(key32, bound, fc.nat(), plaintext, async (key, place, at, bytes) => {
      const names = Object.keys(place.context);
      const name = names[at % names.length] ?? '';
      const element = (place.context as unknown as Record<string, string | number>)[name];
      const changed = typeof element === 'number' ? element + 1 : `${element}0`;
      const other: Bound = { kind: place.kind, context: { ...place.context, [name]: changed } };
      expect(await errorCodeOf(async () => openUnder(key, other, await sealUnder(key, place, bytes)))).toBe('commit');
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  test('P4 does not open with a byte moved from one element to the next', async () => {
    const key = randomBytes(32);
    const blob = await sealUnder(key, { kind: 'doc', context: { userId: 'a', name: 'bc', n: 1 } }, new Uint8Array(8));
    const moved: Bound = { kind: 'doc', context: { userId: 'ab', name: 'c', n: 1 } };
    expect(await errorCodeOf(() => openUnder(key, moved, blob))).toBe('commit');
  });

  test('P5 does not open under another key, nor as another kind', async () => {
    const property = fc.asyncProperty(
      key32,
      key32,
      bound,
      fc.constantFrom(...(Object.keys(KIND) as Kind[])),
      plaintext,
      async (key, other, place, kind, bytes) => {
        fc.pre(encodeHex(key) !== encodeHex(other));
        const blob = await sealUnder(key, place, bytes);
        expect(await errorCodeOf(() => openUnder(other, place, blob))).toBe('commit');
        if (kind !== place.kind)
          expect(await errorCodeOf(() => openUnder(key, { kind, context: place.context }, blob))).toBe('kind');
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  test.each([0, 16, 31, 33, 64])('a key of %i bytes is refused', async (length) => {
    expect(await errorCodeOf(() => importSealingKey(new Uint8Array(length)))).toBe('key_length');
  });
});

test('the caller can wipe the bytes of a key after importing it', async () => {
  const bytes = randomBytes(32);
  const place: Bound = { kind: 'doc', context: { userId: 'u', name: 'pins', n: 1 } };
  const blob = await sealUnder(bytes, place, randomBytes(5));
  const key = await importSealingKey(bytes);
  bytes.fill(0);
  expect(await open(place.kind, key, place.context, blob)).toHaveLength(5);
});

test('P6 (short form) 20 000 seals of the same input have different salts and blobs', async () => {
  const key = await importSealingKey(randomBytes(32));
  const context = { entryId: 'e', fieldId: 'f', rev: 1, type: 'note' };
  const salts = new Set<string>();
  const bodies = new Set<string>();
  for (let batch = 0; batch < 200; batch += 1) {
    const blobs = await Promise.all(Array.from({ length: 100 }, () => seal('value', key, context, new Uint8Array(16))));
    for (const blob of blobs) {
      salts.add(encodeHex(blob.subarray(4, 36)));
      bodies.add(encodeHex(blob.subarray(36)));
    }
  }
  expect([salts.size, bodies.size]).toEqual([20_000, 20_000]);
});
