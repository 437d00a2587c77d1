/** Strict import of public keys, certificates (docs/spec/crypto.md §7, M35, P16). */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Bytes, concat, decodeBase64, decodeHex, encodeBase64, randomBytes } from '../../crypto/bytes.ts';
import { importSigningKey, publicKeyOf } from '../../crypto/ed25519.ts';
import { importRsaPublicKey } from '../../crypto/rsa.ts';
import { type TestPerson, somePeople } from '../../testing/keyrings.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { type CertificateWire, signCertificate, verifyCertificate } from './certificate.ts';

const { subtle } = crypto;
const RSA = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;
const exponent65537 = new Uint8Array([1, 0, 1]);

let ada: TestPerson;
let wire: CertificateWire;
let spki: Bytes;
beforeAll(async () => {
  [ada] = await somePeople(1);
  wire = ada.bundle.certificate;
  spki = decodeBase64(wire.rsa_spki_base64);
});

async function spkiOf(modulusLength: number, publicExponent = exponent65537, name = 'RSA-OAEP'): Promise<Bytes> {
  const uses: KeyUsage[] = name === 'RSA-OAEP' ? ['encrypt', 'decrypt'] : ['sign', 'verify'];
  const pair = await subtle.generateKey({ ...RSA, name, modulusLength, publicExponent }, true, uses);
  return new Uint8Array(await subtle.exportKey('spki', pair.publicKey));
}

/** A certificate signed by its own key, valid except for the given members. */
async function certify(change: { rsaSpki?: Bytes; ed25519?: Bytes }) {
  const seed = randomBytes(32);
  return signCertificate(await importSigningKey(seed), {
    userId: ada.userId,
    keysetVersion: 1,
    ed25519: change.ed25519 ?? (await publicKeyOf(seed)),
    rsaSpki: change.rsaSpki ?? spki,
    prevFingerprint: '',
  });
}

describe('an RSA key', () => {
  test('of 3072 bit is accepted', async () => {
    expect((await importRsaPublicKey(spki)).bits).toBe(3072);
    expect((await verifyCertificate(await certify({}))).rsa.bits).toBe(3072);
  });

  test('of 4096 bit is accepted', { timeout: 60_000 }, async () => {
    expect((await importRsaPublicKey(await spkiOf(4096))).bits).toBe(4096);
  });

  test.each([1024, 2048])('M35 of %i bit is rejected', async (bits) => {
    const rsaSpki = await spkiOf(bits);
    expect(await errorCodeOf(() => importRsaPublicKey(rsaSpki))).toBe('public_key');
    expect(await errorCodeOf(async () => verifyCertificate(await certify({ rsaSpki })))).toBe('public_key');
  });

  test('M35 with e = 3 is rejected', async () => {
    const rsaSpki = await spkiOf(3072, new Uint8Array([3]));
    expect(await errorCodeOf(() => importRsaPublicKey(rsaSpki))).toBe('public_key');
  });

  test('M35 of 16 384 bit is rejected before its number is parsed', async () => {
    expect(await errorCodeOf(() => importRsaPublicKey(new Uint8Array(2086)))).toBe('public_key');
  });

  test.each([
    ['nothing', () => new Uint8Array(0)],
    ['bytes that are not DER', () => randomBytes(422)],
    ['trailing bytes', () => concat(spki, new Uint8Array(1))],
    ['a missing byte', () => spki.slice(0, -1)],
    ['a length that is not minimal', () => concat(decodeHex('30830001a2'), spki.slice(4))],
    ['missing NULL parameters', () => concat(decodeHex('308201a0300b06092a864886f70d010101'), spki.slice(19))],
    ['a modulus of 3071 bit', () => spki.with(33, (spki[33] ?? 0) & 0x7f)],
  ])('with %s is refused', async (_, build) => {
    expect(await errorCodeOf(() => importRsaPublicKey(build()))).toBe('public_key');
  });
});

describe('an Ed25519 key', () => {
  const SMALL_ORDER = [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  ];
  const NOT_CANONICAL = [
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ];
  test.each([...SMALL_ORDER, ...NOT_CANONICAL, '00'.repeat(31), '00'.repeat(33), ''])(
    'M35 %s is refused',
    async (hex) => {
      expect(await errorCodeOf(async () => verifyCertificate(await certify({ ed25519: decodeHex(hex) })))).toBe(
        'public_key',
      );
    },
  );
});

describe('a certificate', () => {
  test('P16 verifies with and without the fingerprint of the server', async () => {
    const identity = await verifyCertificate(wire);
    expect(identity.fingerprint).toBe(ada.keyring.fingerprint);
    expect((await verifyCertificate({ ...wire, fpr: identity.fingerprint })).userId).toBe(ada.userId);
    expect(await errorCodeOf(() => verifyCertificate({ ...wire, fpr: '00'.repeat(32) }))).toBe('certificate');
  });

  test('is rejected if it is missing', async () => {
    expect(await errorCodeOf(() => verifyCertificate(null))).toBe('certificate');
  });

  test('P16 is rejected with any member changed', async () => {
    const other = crypto.randomUUID();
    const changes: [object, string][] = [
      [{ v: 2 }, 'certificate'],
      [{ user_id: other }, 'signature'],
      [{ user_id: ada.userId.toUpperCase() }, 'certificate'],
      [{ user_id: 7 }, 'certificate'],
      [{ keyset_version: 2 }, 'signature'],
      [{ keyset_version: 0 }, 'certificate'],
      [{ keyset_version: '1' }, 'certificate'],
      [{ prev_fpr: '11'.repeat(32) }, 'signature'],
      [{ prev_fpr: 'x' }, 'certificate'],
      [{ prev_fpr: null }, 'certificate'],
      [{ sig_prev_base64: 'AAAA' }, 'certificate'],
      [{ sig_base64: encodeBase64(new Uint8Array(64)) }, 'signature'],
      [{ sig_base64: encodeBase64(new Uint8Array(63)) }, 'signature'],
      [{ sig_base64: null }, 'base64'],
      [{ ed25519_base64: undefined }, 'base64'],
    ];
    for (const [change, code] of changes) {
      expect(await errorCodeOf(() => verifyCertificate({ ...wire, ...change })), JSON.stringify(change)).toBe(code);
    }
  });

  test('P16 is rejected with any bit of signature or keys flipped', async () => {
    const members = fc.constantFrom('sig_base64' as const, 'ed25519_base64' as const, 'rsa_spki_base64' as const);
    await fc.assert(
      fc.asyncProperty(members, fc.nat(), fc.nat(7), async (member, at, bit) => {
        const bytes = decodeBase64(wire[member]);
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        const refused = await errorCodeOf(() => verifyCertificate({ ...wire, [member]: encodeBase64(bytes) }));
        expect(['signature', 'public_key']).toContain(refused);
      }),
      { numRuns: 300 },
    );
  });

  test('is rejected if S is raised by the group order', async () => {
    const signature = decodeBase64(wire.sig_base64);
    const order = decodeHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');
    let carry = 0;
    for (let at = 0; at < 32; at += 1) {
      carry += (signature[32 + at] ?? 0) + (order[at] ?? 0);
      signature[32 + at] = carry & 0xff;
      carry >>= 8;
    }
    expect(await errorCodeOf(() => verifyCertificate({ ...wire, sig_base64: encodeBase64(signature) }))).toBe(
      'signature',
    );
  });
});
