/** P10: for any bytes every decoder quickly returns a value or throws a CryptoError. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyCertificate } from '../domain/keyring/certificate.ts';
import { unlock } from '../domain/keyring/keyring.ts';
import { decodePayload } from '../domain/fields/payload.ts';
import { verifyRoster } from '../domain/rosters/roster.ts';
import { RUNS, bytesOf } from '../testing/arbitraries.ts';
import { errorCodeOf } from '../testing/error-code.ts';
import { TEST_KDF } from '../testing/test-kdf.ts';
import { type Bytes, concat, decodeBase64, decodeHex, encodeBase64, randomBytes, utf8 } from './bytes.ts';
import { checkPublicKey } from './ed25519.ts';
import { openLegacyPrivateKey } from './legacy/open-legacy-database.ts';
import { importRsaPrivateKey, importRsaPublicKey, rsaPublicKeyOf } from './rsa.ts';
import { KIND, type Kind, importSealingKey, open } from './seal.ts';
import { collect, openStream } from './stream.ts';

const key = randomBytes(32);
const MILLISECONDS = 50;
/** Prefixes that pass a decoder's first check. */
const starts = ['', '504231', '50423101', '50423104', '50424631', '30820122', '3082010a', '000000', '7b22', '5b5b'].map(
  decodeHex,
);
const bytes = fc
  .tuple(fc.constantFrom(...starts), bytesOf({ maxLength: 400 }))
  .map(([start, rest]) => concat(start, rest));

const decoders: Record<string, (input: Bytes) => unknown> = {
  base64: (input) => decodeBase64(String.fromCharCode(...input)),
  hex: (input) => decodeHex(String.fromCharCode(...input)),
  'a payload': (input) => decodePayload(input, 'password'),
  'a sealed body': (input) => collect(openStream(key, 'f', [input])),
  'an RSA public key': (input) => importRsaPublicKey(input),
  'an RSA private key': (input) => importRsaPrivateKey(input),
  'the public half of an RSA private key': (input) => rsaPublicKeyOf(input),
  'an Ed25519 public key': (input) => checkPublicKey(input),
  'an older private key': (input) =>
    openLegacyPrivateKey(
      `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${encodeBase64(input)}\n-----END ENCRYPTED PRIVATE KEY-----`,
      'x',
    ),
  'a roster': (input) =>
    verifyRoster(
      { roster_base64: encodeBase64(input), roster_sig_base64: encodeBase64(input), signer_certificate: null },
      'g',
    ),
};
for (const kind of Object.keys(KIND) as Kind[]) {
  decoders[`a sealed ${kind}`] = async (input) => open(kind, await importSealingKey(key), CONTEXT as never, input);
}
const CONTEXT = {
  userId: 'u',
  slotId: 's',
  slotType: 't',
  desc: 'd',
  keysetVersion: 1,
  fingerprint: 'f',
  name: 'n',
  n: 1,
  type: 'note',
};

describe('P10 any bytes as', () => {
  test.each(Object.entries(decoders))('%s', async (_, decode) => {
    await errorCodeOf(() => decode(new Uint8Array(0)));
    const slow: Bytes[] = [];
    await fc.assert(
      fc.asyncProperty(bytes, async (input) => {
        if ((await timed(() => errorCodeOf(() => decode(input)))) >= MILLISECONDS) slow.push(input);
      }),
      { numRuns: RUNS },
    );
    // An input that is slow only once was delayed by the machine.
    for (const input of slow) expect(await timed(() => errorCodeOf(() => decode(input)))).toBeLessThan(MILLISECONDS);
  });

  test('a megabyte of each byte', async () => {
    for (const [name, decode] of Object.entries(decoders)) {
      const large = new Uint8Array(1_048_576).fill(0x41);
      if (name === 'base64' || name === 'hex') continue;
      expect(await timed(() => errorCodeOf(() => decode(large))), name).toBeLessThan(2000);
    }
  });
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

describe('P10 any JSON as', () => {
  const certificate = fc.record(
    {
      v: fc.constantFrom(1, 2, '1', null),
      user_id: fc.oneof(fc.uuid(), fc.anything()),
      keyset_version: fc.oneof(fc.constant(1), fc.anything()),
      ed25519_base64: fc.oneof(fc.base64String(), fc.anything()),
      rsa_spki_base64: fc.oneof(fc.base64String(), fc.anything()),
      prev_fpr: fc.oneof(fc.constant(''), fc.anything()),
      fpr: fc.anything(),
      sig_base64: fc.oneof(fc.base64String(), fc.anything()),
      sig_prev_base64: fc.oneof(fc.constant(null), fc.anything()),
    },
    { requiredKeys: [] },
  );

  test('a certificate', async () => {
    await fc.assert(
      fc.asyncProperty(certificate, async (wire) => {
        expect(await errorCodeOf(() => verifyCertificate(wire as never))).not.toBe('no error');
      }),
      { numRuns: RUNS },
    );
  });

  test('a key bundle', async () => {
    const slot = fc.record({
      slot_id: fc.uuid(),
      slot_type: fc.constantFrom('password', 'recovery'),
      kdf: fc.oneof(fc.constantFrom('A1', 'T9', '__proto__'), fc.anything()).filter((name) => name !== 'T0'),
      salt_base64: fc.anything(),
      blob_base64: fc.anything(),
    });
    const bundle = fc.record({
      user_id: fc.uuid(),
      keyset: fc.constantFrom(null, { version: 1, blob_base64: '' }),
      certificate,
      slots: fc.array(slot, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(bundle, async (wire) => {
        const refused = await errorCodeOf(() => unlock({ bundle: wire as never, masterPassword: 'x', kdf: TEST_KDF }));
        expect(['kdf', 'certificate']).toContain(refused);
      }),
      { numRuns: RUNS },
    );
  });
});

test('P10 deep and wide JSON inside an opened payload is rejected', async () => {
  for (const text of ['['.repeat(100_000), `{"a":${'{"a":'.repeat(10_000)}`, `"${'x'.repeat(1e6)}"`]) {
    const json = utf8(text);
    const padded = new Uint8Array(Math.ceil((json.length + 4) / 64) * 64);
    new DataView(padded.buffer).setUint32(0, json.length);
    padded.set(json, 4);
    expect(await errorCodeOf(() => decodePayload(padded, 'note'))).toBe('payload');
  }
});
