/**
 * C2SP Wycheproof vectors with our own functions. The files are beside the repository, not in it; without
 * them the tests are skipped.
 */
import { describe, expect, test } from 'vitest';
import { aesGcmOpen, aesGcmSeal, hkdf, importDerivationKey } from '#primitives';
import { type Bytes, concat, decodeHex, encodeHex } from './bytes.ts';
import { checkPublicKey, verify } from './ed25519.ts';
import { CryptoError } from './errors.ts';
import { derivePbkdf2, openCbc } from './legacy/open-legacy-database.ts';
import { importRsaPrivateKey, unwrapWith } from './rsa.ts';

type Case = Readonly<Record<string, string>> & { readonly tcId: number; readonly result: 'valid' | 'invalid' };
type Group = Readonly<Record<string, string | number>> & { readonly tests: readonly Case[] };
interface Suite {
  readonly testGroups: readonly Group[];
}
declare global {
  interface ImportMeta {
    glob(pattern: string, options: { eager: true; import: 'default' }): Record<string, unknown>;
  }
}

const found = import.meta.glob('../../../../shared/vectors/wycheproof/*.json', { eager: true, import: 'default' });
const suites = new Map(Object.entries(found).map(([path, suite]) => [path.split('/').at(-1) ?? '', suite as Suite]));

type Judge = (one: Case, group: Group) => Promise<boolean>;

/** One test per file; its name has the number of cases and says which are out of scope. */
function suite(file: string, outside: string, isOurs: (one: Case, group: Group) => boolean, judge: Judge): void {
  const groups = suites.get(file)?.testGroups ?? [];
  const all = groups.flatMap((group) => group.tests.map((one) => ({ one, group })));
  const ours = all.filter(({ one, group }) => isOurs(one, group));
  const name = `${file}: ${ours.length} of ${all.length} cases (${outside})`;
  if (all.length === 0) return test.skip(`${file}: skipped, the published vectors are not beside this clone`, () => {});
  test(name, async () => {
    expect(ours.length).toBeGreaterThan(0);
    const wrong: number[] = [];
    for (const { one, group } of ours) if ((await judge(one, group)) !== (one.result === 'valid')) wrong.push(one.tcId);
    expect(wrong).toEqual([]);
  });
}

const bytes = (one: Case, member: string): Bytes => decodeHex(one[member] ?? '');
const isSame = (given: Uint8Array, one: Case, member: string) => encodeHex(given) === one[member];

/** Only a CryptoError counts as a rejection; other errors fail the test. */
async function unlessRefused(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CryptoError) return false;
    throw error;
  }
}

describe('Wycheproof (P23)', () => {
  suite(
    'aes_gcm_test.json',
    'keys of 256, nonces of 96, tags of 128 bit alone',
    (_, { keySize, ivSize, tagSize }) => keySize === 256 && ivSize === 96 && tagSize === 128,
    async (one) => {
      const [key, iv, aad, msg] = [bytes(one, 'key'), bytes(one, 'iv'), bytes(one, 'aad'), bytes(one, 'msg')];
      const expected = concat(bytes(one, 'ct'), bytes(one, 'tag'));
      const opened = await aesGcmOpen(key, iv, aad, expected);
      if (opened === null || !isSame(opened, one, 'msg')) return false;
      const sealed = new Uint8Array(msg.length + 16);
      await aesGcmSeal(key, iv, aad, msg, sealed, 0);
      return encodeHex(sealed) === encodeHex(expected);
    },
  );

  suite(
    'hkdf_sha256_test.json',
    'all',
    () => true,
    async (one) => {
      // The platform refuses more than 255 · 32 bytes; our own lengths are constants.
      if (Number(one['size']) > 255 * 32) return false;
      const key = await importDerivationKey(bytes(one, 'ikm'));
      return isSame(await hkdf(key, bytes(one, 'salt'), bytes(one, 'info'), Number(one['size'])), one, 'okm');
    },
  );

  suite(
    'ed25519_test.json',
    'all',
    () => true,
    (one, group) =>
      unlessRefused(async () => {
        const publicKey = decodeHex((group['publicKey'] as unknown as { pk: string }).pk);
        checkPublicKey(publicKey);
        return verify(publicKey, bytes(one, 'msg'), bytes(one, 'sig'));
      }),
  );

  for (const bits of [3072, 4096]) {
    suite(
      `rsa_oaep_${bits}_sha256_mgf1sha256_test.json`,
      'empty labels alone',
      (one) => one['label'] === '',
      (one, group) =>
        unlessRefused(async () => {
          const key = await importRsaPrivateKey(decodeHex(String(group['privateKeyPkcs8'])));
          return isSame(await unwrapWith(key, bytes(one, 'ct')), one, 'msg');
        }),
    );
  }

  suite(
    'aes_cbc_pkcs5_test.json',
    'keys of 128 and 256 bit, as L0 has them',
    (_, { keySize }) => keySize !== 192,
    (one) =>
      unlessRefused(async () =>
        isSame(await openCbc(bytes(one, 'key'), bytes(one, 'iv'), bytes(one, 'ct')), one, 'msg'),
      ),
  );

  suite(
    'pbkdf2_hmacsha1_test.json',
    'all',
    () => true,
    (one) =>
      unlessRefused(async () => {
        const [count, length] = [Number(one['iterationCount']), Number(one['dkLen'])];
        return isSame(
          await derivePbkdf2('SHA-1', bytes(one, 'password'), bytes(one, 'salt'), count, length),
          one,
          'dk',
        );
      }),
  );
});
