/** The chain from a present key to the former ones: M13, M14, M16 (docs/spec/crypto.md §7). */
import { beforeAll, describe, expect, test } from 'vitest';
import { encodeBase64, randomBytes } from '../../crypto/bytes.ts';
import { importSigningKey, publicKeyOf, sign } from '../../crypto/ed25519.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { type Signer, createSharedRsa, createSigner, renewSigner, withBrokenVouch } from '../../testing/signers.ts';
import { followCertificates, certificateMessage, signCertificate } from './certificate.ts';

let rsa: Awaited<ReturnType<typeof createSharedRsa>>;
let keys: Signer[];
beforeAll(async () => {
  rsa = await createSharedRsa();
  keys = [await createSigner(rsa)];
  for (let at = 0; at < 65; at += 1) keys.push(await renewSigner(rsa, key(at), true));
});
const key = (at: number): Signer => keys[at] ?? expect.fail(`no key ${at}`);
const fingerprints = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => key(from - at).keyring.fingerprint);
const certificatesTo = (at: number) => keys.slice(0, at + 1).map(({ certificate }) => certificate);

describe('a certificate chain', () => {
  test('of a first certificate has one key', async () => {
    const chain = await followCertificates(key(0).certificate, certificatesTo(3));
    expect(chain.fingerprints).toEqual(fingerprints(0, 0));
    expect(chain.identity.fingerprint).toBe(key(0).keyring.fingerprint);
  });

  test('follows former certificates in any order, and ignores those of others', async () => {
    const other = await createSigner(rsa);
    const former = [other.certificate, ...certificatesTo(3).toReversed(), other.certificate];
    expect((await followCertificates(key(3).certificate, former)).fingerprints).toEqual(fingerprints(3, 0));
  });

  test('ends at a missing certificate', async () => {
    const former = [key(0).certificate, key(2).certificate];
    expect((await followCertificates(key(3).certificate, former)).fingerprints).toEqual(fingerprints(3, 2));
    expect((await followCertificates(key(3).certificate, [])).fingerprints).toEqual(fingerprints(3, 3));
  });

  test('M16 ends at an invalid or missing signature of the former key', async () => {
    const broken = withBrokenVouch(key(2).certificate);
    expect((await followCertificates(broken, certificatesTo(1))).fingerprints).toEqual(fingerprints(2, 2));
    const former = [key(0).certificate, key(1).certificate, broken];
    expect((await followCertificates(key(3).certificate, former)).fingerprints).toEqual(fingerprints(3, 2));
    const unvouched = { ...key(2).certificate, sig_prev_base64: null };
    expect((await followCertificates(unvouched, certificatesTo(1))).fingerprints).toEqual(fingerprints(2, 2));
  });

  test('ignores a certificate that does not verify', async () => {
    const forged = { ...key(1).certificate, sig_base64: key(2).certificate.sig_base64 };
    expect((await followCertificates(key(2).certificate, [forged])).fingerprints).toEqual(fingerprints(2, 2));
    // The valid one counts, before or after the forged one.
    expect((await followCertificates(key(2).certificate, [forged, key(1).certificate])).fingerprints).toEqual(
      fingerprints(2, 1),
    );
  });

  test('accepts only the previous version', async () => {
    const seed = randomBytes(32);
    const certified = {
      userId: key(0).userId,
      keysetVersion: 3,
      ed25519: await publicKeyOf(seed),
      rsaSpki: rsa.spki,
      prevFingerprint: key(0).keyring.fingerprint,
    };
    const vouch = await sign(key(0).keyring.keys().signingKey, certificateMessage(certified));
    const wire = {
      ...(await signCertificate(await importSigningKey(seed), certified)),
      sig_prev_base64: encodeBase64(vouch),
    };
    expect((await followCertificates(wire, certificatesTo(1))).fingerprints).toHaveLength(1);
  });

  test('has at most 64 steps', async () => {
    const { fingerprints: found } = await followCertificates(key(64).certificate, certificatesTo(64));
    expect(found).toEqual(fingerprints(64, 0));
    expect(await errorCodeOf(() => followCertificates(key(65).certificate, certificatesTo(65)))).toBe('certificate');
  });

  test('has no cycles', async () => {
    const seed = randomBytes(32);
    const certified = { userId: key(0).userId, keysetVersion: 2, ed25519: await publicKeyOf(seed), rsaSpki: rsa.spki };
    const signingKey = await importSigningKey(seed);
    const { fpr } = await signCertificate(signingKey, { ...certified, prevFingerprint: '' });
    const looped = await signCertificate(signingKey, { ...certified, prevFingerprint: fpr });
    expect(await errorCodeOf(() => followCertificates(looped, [looped]))).toBe('certificate');
  });
});

test('M13 is rejected for an invalid or missing certificate', async () => {
  expect(await errorCodeOf(() => followCertificates(null, certificatesTo(1)))).toBe('certificate');
  const forged = { ...key(1).certificate, rsa_spki_base64: encodeBase64(randomBytes(422)) };
  expect(await errorCodeOf(() => followCertificates(forged, certificatesTo(1)))).toBe('public_key');
  const others = { ...key(1).certificate, user_id: crypto.randomUUID() };
  expect(await errorCodeOf(() => followCertificates(others, certificatesTo(1)))).toBe('signature');
});
