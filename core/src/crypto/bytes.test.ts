/** Encodings of docs/spec/crypto.md §3: properties P7 and P11, random bytes and salts, comparison. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { RUNS, bytesOf, text } from '../testing/arbitraries.ts';
import { errorCodeOf } from '../testing/error-code.ts';
import {
  concat,
  decodeBase64,
  decodeHex,
  encodeBase64,
  encodeHex,
  encodePieces,
  randomBytes,
  sameBytes,
  sharedBytes,
  utf8,
  wipe,
} from './bytes.ts';
import { randomSalt } from './salt.ts';

const piece = fc.oneof(text(), bytesOf({ maxLength: 40 }));
const bytesOfPiece = (one: string | Uint8Array) => (typeof one === 'string' ? utf8(one) : one);

describe('PAE', () => {
  test('P7 two lists of different bytes never give the same bytes', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(piece, { maxLength: 8 }), (one, other) => {
        const same =
          one.length === other.length &&
          one.every((part, at) => sameBytes(bytesOfPiece(part), bytesOfPiece(other[at] ?? '')));
        expect(sameBytes(encodePieces(one), encodePieces(other))).toBe(same);
      }),
      { numRuns: RUNS },
    );
  });

  test('P7 the same bytes split differently give different bytes', () => {
    fc.assert(
      fc.property(bytesOf({ minLength: 1, maxLength: 60 }), fc.nat(), fc.nat(), (bytes, first, second) => {
        const [a, b] = [first % bytes.length, second % bytes.length];
        fc.pre(a !== b);
        const cutAt = (at: number) => encodePieces([bytes.slice(0, at), bytes.slice(at)]);
        expect(sameBytes(cutAt(a), cutAt(b))).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  test('a text is encoded as UTF-8', () => {
    fc.assert(
      fc.property(text(), (one) => {
        expect(encodePieces([one])).toEqual(encodePieces([utf8(one)]));
      }),
      { numRuns: RUNS },
    );
  });

  test('lengths are little endian', () => {
    expect(encodeHex(encodePieces([new Uint8Array(0x010203)]).subarray(0, 16))).toBe(
      '01000000000000000302010000000000',
    );
  });
});

describe('PAE', () => {
  test('writes counts and lengths in four bytes', () => {
    const large = encodePieces([new Uint8Array(0x01020304)]);
    expect(encodeHex(large.subarray(0, 17))).toBe('0100000000000000040302010000000000');
    expect(large.length).toBe(16 + 0x01020304);
    const many = encodePieces(Array.from({ length: 0x0102 }, () => ''));
    expect(encodeHex(many.subarray(0, 8))).toBe('0201000000000000');
    expect(many.length).toBe(8 + 8 * 0x0102);
  });

  test('writes the last ASCII character as one byte and the first beyond as two', () => {
    expect(encodeHex(encodePieces(['\x7f']).subarray(8))).toBe('01000000000000007f');
    expect(encodeHex(encodePieces(['\x80']).subarray(8))).toBe('0200000000000000c280');
    expect(encodeHex(encodePieces(['a\x80b']).subarray(8))).toBe('040000000000000061c28062');
  });
});

test('shared bytes are zeros and never overlap', () => {
  const some = Array.from({ length: 500 }, (_, at) => sharedBytes((at * 37) % 300));
  const large = sharedBytes(100_000);
  for (const [at, bytes] of some.entries()) {
    expect(bytes).toEqual(new Uint8Array((at * 37) % 300));
    bytes.fill(1 + (at % 255));
  }
  large.fill(9);
  for (const [at, bytes] of some.entries()) expect(bytes.every((byte) => byte === 1 + (at % 255))).toBe(true);
});

test('joins parts in order', () => {
  expect(concat()).toEqual(new Uint8Array(0));
  expect(concat(new Uint8Array([1, 2]), new Uint8Array(0), new Uint8Array([3]))).toEqual(new Uint8Array([1, 2, 3]));
});

describe('base64', () => {
  test('P11 decodes what it encoded', () => {
    fc.assert(
      fc.property(bytesOf({ maxLength: 200 }), (bytes) => {
        const written = encodeBase64(bytes);
        expect(written).toBe(btoa(String.fromCharCode(...bytes)));
        expect(decodeBase64(written)).toEqual(bytes);
      }),
      { numRuns: RUNS },
    );
  });

  test('P11 accepts only the canonical encoding', async () => {
    const symbol = fc.constantFrom(...'ABCDQRSTwxyz0189+/=-_ \n'.split(''));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: symbol, maxLength: 12 }), async (spelling) => {
        if ((await errorCodeOf(() => decodeBase64(spelling))) === 'no error') {
          expect(encodeBase64(decodeBase64(spelling))).toBe(spelling);
        }
      }),
      { numRuns: RUNS * 3 },
    );
  });

  test.each([
    ['a space inside', 'AA A='],
    ['a line break at the end', 'AAAA\n'],
    ['the URL alphabet', 'AA-_'],
    ['no padding', 'AAA'],
    ['half the padding', 'AA='],
    ['shared bytes are zeros and never overlap', 'AAA=='],
    ['padding alone', '===='],
    ['padding inside', 'AA==AAAA'],
    ['trailing bits, one byte', 'AB=='],
    ['trailing bits, two bytes', 'AAB='],
    ['letters of another script', 'ＡＡＡＡ'],
    ['a lone surrogate', 'AAA\ud800'],
    ['no text', null],
    ['a number', 1234],
  ])('P11 refuses %s', async (_, spelling) => {
    expect(await errorCodeOf(() => decodeBase64(spelling))).toBe('base64');
  });

  test('decodes empty text and a megabyte', () => {
    expect(decodeBase64('')).toEqual(new Uint8Array(0));
    const large = randomBytes(1_048_576);
    expect(sameBytes(decodeBase64(encodeBase64(large)), large)).toBe(true);
  });

  test('returns bytes with a buffer of their own', () => {
    const bytes = decodeBase64('AAAA');
    expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, 3]);
  });
});

test('hex decodes what it encoded and rejects other text', async () => {
  const property = fc.property(bytesOf({ maxLength: 80 }), (bytes) => {
    expect(decodeHex(encodeHex(bytes))).toEqual(bytes);
  });
  fc.assert(property);
  expect(encodeHex(new Uint8Array([0, 1, 15, 16, 255]))).toBe('00010f10ff');
  expect(decodeHex('aAFf09')).toEqual(new Uint8Array([0xaa, 0xff, 9]));
  for (const wrong of ['0', '0g', 'g0', '0x00', ' 00', '00\n', '00 00'])
    expect(await errorCodeOf(() => decodeHex(wrong))).toBe('base64');
});

describe('random bytes', () => {
  test.each([0, 1, 32, 4096, 4097, 65_536, 200_000])('%i of them are returned', (length) => {
    expect(randomBytes(length).length).toBe(length);
  });

  test('16 bytes never repeat in 20 000 draws of mixed lengths', () => {
    const seen = new Set(
      Array.from({ length: 20_000 }, (_, at) => encodeHex(randomBytes(16 + (at % 48)).subarray(0, 16))),
    );
    expect(seen.size).toBe(20_000);
  });

  test('wiping one draw does not touch another', () => {
    const [one, other] = [randomBytes(32), randomBytes(32)];
    wipe(one);
    expect(one).toEqual(new Uint8Array(32));
    expect(other).not.toEqual(new Uint8Array(32));
    const both = [randomBytes(8), randomBytes(8)];
    wipe(...both);
    expect(both).toEqual([new Uint8Array(8), new Uint8Array(8)]);
  });

  test('all come from the generator, also for a large request', () => {
    const large = randomBytes(200_000);
    for (const at of [0, 65_535, 65_536, 131_072, 199_900])
      expect(large.subarray(at, at + 100).some((byte) => byte !== 0)).toBe(true);
  });

  test('F6e each key has its own call of the system’s generator; salts share calls', () => {
    const system = vi.spyOn(crypto, 'getRandomValues');
    try {
      for (let draws = 0; draws < 10; draws += 1) randomBytes(32);
      expect(system).toHaveBeenCalledTimes(10);
      for (let draws = 0; draws < 1000; draws += 1) randomSalt(32);
      expect(system.mock.calls.length).toBeLessThan(20);
    } finally {
      system.mockRestore();
    }
  });

  test('salts are unique, have the requested length, and at most 64 bytes', async () => {
    const salts = Array.from({ length: 5_000 }, (_, at) => encodeHex(randomSalt(16 + (at % 48)).subarray(0, 16)));
    expect(new Set(salts).size).toBe(5_000);
    for (let draws = 0; draws < 600; draws += 1)
      expect(
        randomSalt(60)
          .subarray(-32)
          .some((byte) => byte !== 0),
      ).toBe(true);
    expect(() => randomSalt(65)).toThrow(RangeError);
  });
});

test('P20 comparison reads both inputs to their end', () => {
  const reads: number[] = [];
  const counted = new Proxy(new Uint8Array(64), {
    get(target, member) {
      if (typeof member === 'string' && /^\d+$/.test(member)) reads.push(Number(member));
      return Reflect.get(target, member) as unknown;
    },
  });
  expect(sameBytes(new Uint8Array(64).fill(1), counted)).toBe(false);
  expect(reads).toEqual(Array.from({ length: 64 }, (_, at) => at));
  expect(sameBytes(concat(new Uint8Array(63), new Uint8Array([1])), new Uint8Array(64))).toBe(false);
  expect(sameBytes(new Uint8Array(63), new Uint8Array(64))).toBe(false);
});
