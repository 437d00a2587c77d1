/** From password to key: P13–P15, downgrades M9–M11 at this level, published values of Argon2id (docs/spec/crypto.md §5). */
import { argon2id } from '@noble/hashes/argon2.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FEW_RUNS, RUNS, bytesOf } from '../testing/arbitraries.ts';
import frozen from '../testing/fixtures/pb1_frozen.json' with { type: 'json' };
import { errorCodeOf } from '../testing/error-code.ts';
import { TEST_KDF } from '../testing/test-kdf.ts';
import { plainCode, simdCode } from '#argon2-code';
import { argon2idOf, argon2idWasm } from './argon2/argon2-wasm.ts';
import { decodeBase64, encodeHex, utf8 } from './bytes.ts';
import {
  DEFAULT_KDF,
  KDF_PROFILES,
  type Kdf,
  deriveBytes,
  deriveMasterKey,
  describeDerivation,
  normalisePassword,
  profileOf,
} from './kdf.ts';

let derivations = 0;
const product: Kdf = {
  profiles: KDF_PROFILES,
  defaultProfile: DEFAULT_KDF,
  argon2id: () => {
    derivations += 1;
    return Promise.resolve(new Uint8Array(32));
  },
};
const salt = new Uint8Array(16);

describe('the table of profiles', () => {
  test('contains only A1, with the parameters of RFC 9106', () => {
    expect(KDF_PROFILES).toEqual({ A1: { memoryKib: 65_536, iterations: 3, parallelism: 4 } });
    expect(DEFAULT_KDF).toBe('A1');
  });

  test('P13 any other name is rejected before Argon2 runs', async () => {
    derivations = 0;
    const name = fc.anything().filter((drawn) => drawn !== 'A1');
    await fc.assert(
      fc.asyncProperty(name, async (drawn) => {
        expect(await errorCodeOf(() => deriveMasterKey(product, drawn, 'pw', salt))).toBe('kdf');
      }),
      { numRuns: RUNS },
    );
    for (const drawn of [
      'T0',
      'a1',
      'A1 ',
      '',
      '__proto__',
      'constructor',
      'toString',
      null,
      undefined,
      1,
      { m: 8 },
      ['A1'],
    ]) {
      expect(await errorCodeOf(() => deriveMasterKey(product, drawn, 'pw', salt))).toBe('kdf');
    }
    for (const length of [0, 8, 15, 17, 32]) {
      expect(await errorCodeOf(() => deriveMasterKey(product, 'A1', 'pw', new Uint8Array(length)))).toBe('kdf');
    }
    expect(derivations).toBe(0);
  });
});

describe('a password', () => {
  const derive = async (password: string) => encodeHex(await deriveMasterKey(TEST_KDF, 'T0', password, salt));

  test('P14 has one key in every Unicode normalisation form', async () => {
    expect(await derive('Ångström ﬁ ①')).toBe(await derive('A\u030angstro\u0308m fi 1'));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (drawn) => {
        const expected = normalisePassword(drawn);
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
          expect(normalisePassword(drawn.normalize(form))).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  test('P15 keeps its spaces and its case', async () => {
    const spellings = ['pw', ' pw', 'pw ', 'p w', 'Pw', 'PW', 'pw\n', 'pw\u200b'];
    expect(new Set(await Promise.all(spellings.map(derive))).size).toBe(spellings.length);
  });

  test.each([
    ['emoji', '🔐🧑‍🚀 пароль'],
    ['right-to-left text', 'סיסמה مرور'],
    ['1024 bytes', 'é'.repeat(512)],
    ['1025 bytes that normalise to fewer', 'e\u0301'.repeat(400)],
  ])('P15 may be %s', async (_, password) => {
    expect(await derive(password)).toHaveLength(64);
  });

  test.each([
    ['empty', ''],
    ['1025 bytes', `${'é'.repeat(512)}x`],
    ['a few bytes that normalise to more than 1024', '\ufdfa'.repeat(40)],
    ['ten million characters', 'x'.repeat(1e7)],
    ['a lone surrogate at the end', 'pw\ud83d'],
    ['a lone surrogate at the start', '\udd10pw'],
  ])('P15 may not be %s', async (_, password) => {
    expect(await errorCodeOf(() => normalisePassword(password))).toBe('password');
  });
});

describe('Argon2id, values of the reference implementation for version 0x13', () => {
  const derive = async (
    memoryKib: number,
    iterations: number,
    parallelism: number,
    password: string,
    saltText: string,
  ) => encodeHex(await argon2idWasm(utf8(password), utf8(saltText), { memoryKib, iterations, parallelism }));

  test.each([
    [65_536, 2, 1, 'password', 'somesalt', '09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7'],
    [256, 2, 1, 'password', 'somesalt', '9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe'],
    [256, 2, 2, 'password', 'somesalt', '6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037'],
    [65_536, 1, 1, 'password', 'somesalt', 'f6a5adc1ba723dddef9b5ac1d464e180fcd9dffc9d1cbf76cca2fed795d9ca98'],
    [65_536, 2, 1, 'differentpassword', 'somesalt', '0b84d652cf6b0c4beaef0dfe278ba6a80df6696281d7e0d2891b817d8c458fde'],
    [65_536, 2, 1, 'password', 'diffsalt', 'bdf32b05ccc42eb15d58fd19b1f856b113da1e9a5874fdcc544308565aa8141c'],
  ])('m = %i KiB, t = %i, p = %i, %s, %s', async (memoryKib, iterations, parallelism, password, saltText, expected) => {
    expect(await derive(memoryKib, iterations, parallelism, password, saltText)).toBe(expected);
  });
});

describe('Argon2id, RFC 9106 §5.3 (P23)', () => {
  // The one vector of the RFC has a secret and associated data, which our profiles never use. So a second
  // implementation is checked against the vector, and ours against it.
  test('a second implementation matches the vector of the RFC', () => {
    const fill = (length: number, byte: number) => new Uint8Array(length).fill(byte);
    const tag = argon2id(fill(32, 1), fill(16, 2), {
      t: 3,
      m: 32,
      p: 4,
      key: fill(8, 3),
      personalization: fill(12, 4),
      dkLen: 32,
    });
    expect(encodeHex(tag)).toBe('0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659');
  });

  test('and matches ours without secret and associated data', async () => {
    const sizes = fc.record({
      memoryKib: fc.integer({ min: 32, max: 128 }),
      iterations: fc.integer({ min: 1, max: 3 }),
      parallelism: fc.integer({ min: 1, max: 4 }),
    });
    const bytes = bytesOf({ minLength: 1, maxLength: 64 });
    const drawnSalt = bytesOf({ minLength: 16, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(bytes, drawnSalt, sizes, async (password, itsSalt, profile) => {
        const { memoryKib: m, iterations: t, parallelism: p } = profile;
        expect(encodeHex(await argon2idWasm(password, itsSalt, profile))).toBe(
          encodeHex(argon2id(password, itsSalt, { m, t, p, dkLen: 32 })),
        );
      }),
      { numRuns: FEW_RUNS },
    );
  });

  test('an engine without SIMD derives the same key', async () => {
    const old = argon2idOf({ simd: () => new Uint8Array(8), plain: plainCode });
    const profiles = [KDF_PROFILES.A1, { memoryKib: 65, iterations: 1, parallelism: 2 }];
    const keys = async (derive: typeof old) =>
      Promise.all(
        profiles.map(async (profile) => encodeHex(await derive(utf8('a password'), utf8('salt of somebody'), profile))),
      );
    expect(await keys(old)).toEqual(await keys(argon2idWasm));
  });

  test('the memory is wiped after a derivation', async () => {
    const { Memory } = WebAssembly;
    const memories: WebAssembly.Memory[] = [];
    WebAssembly.Memory = class extends Memory {
      constructor(size: WebAssembly.MemoryDescriptor) {
        super(size);
        memories.push(this);
      }
    };
    try {
      await argon2idOf({ simd: simdCode, plain: plainCode })(utf8('a password'), salt, KDF_PROFILES.A1);
    } finally {
      WebAssembly.Memory = Memory;
    }
    expect(memories.map(({ buffer }) => new BigUint64Array(buffer).findIndex((word) => word !== 0n))).toEqual([-1]);
  });
});

describe('frozen passwords', () => {
  const { ids, passwords, refused_password } = frozen;
  test.each(passwords.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    const itsSalt = decodeBase64(row.salt_base64);
    expect(describeDerivation(profileOf(TEST_KDF, row.kdf), itsSalt)).toBe(row.desc);
    const masterKey = await deriveMasterKey(TEST_KDF, row.kdf, row.master_password, itsSalt);
    expect(encodeHex(masterKey)).toBe(row.master_key_hex);
    const pieces = ['pb1:kek', ids.user_id, ids.slot_id, row.desc];
    expect(encodeHex(await deriveBytes(masterKey, new Uint8Array(0), pieces, 32))).toBe(row.kek_hex);
  });

  test('1025 bytes are rejected', async () => {
    expect(await errorCodeOf(() => deriveMasterKey(TEST_KDF, 'T0', refused_password, salt))).toBe('password');
  });
});
