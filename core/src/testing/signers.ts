/** People who only sign. They share one RSA key pair, so creating them is fast. */
import { type Bytes, decodeBase64, encodeBase64, randomBytes } from '../crypto/bytes.ts';
import { type SigningKey, importSigningKey, publicKeyOf, sign } from '../crypto/ed25519.ts';
import { importRsaPrivateKey, createRsaKeyPair } from '../crypto/rsa.ts';
import { importSealingKey } from '../crypto/seal.ts';
import {
  type CertificateWire,
  certificateMessage,
  signCertificate,
  verifyCertificate,
} from '../domain/keyring/certificate.ts';
import { type Keyring, keyringOf } from '../domain/keyring/keyring.ts';

export interface Signer {
  readonly userId: string;
  readonly keyring: Keyring;
  readonly certificate: CertificateWire;
  /** Oldest first, the present one included. */
  readonly certificates: readonly CertificateWire[];
}

export const createSharedRsa = () => createRsaKeyPair();
type SharedRsa = Awaited<ReturnType<typeof createSharedRsa>>;

/** @param seed 32 bytes, for frozen vectors */
export function createSigner(
  rsa: SharedRsa,
  userId: string = crypto.randomUUID(),
  seed = randomBytes(32),
): Promise<Signer> {
  return signerOf(rsa, { userId, keysetVersion: 1, prevFingerprint: '' }, { seed, vouching: null, former: [] });
}

/** The same person with another key; `vouched`: the former key signs the new certificate. */
export function renewSigner(rsa: SharedRsa, former: Signer, vouched: boolean, seed = randomBytes(32)): Promise<Signer> {
  const { userId, identity, fingerprint } = former.keyring;
  return signerOf(
    rsa,
    { userId, keysetVersion: identity.keysetVersion + 1, prevFingerprint: vouched ? fingerprint : '' },
    { seed, vouching: vouched ? former.keyring.keys().signingKey : null, former: former.certificates },
  );
}

async function signerOf(
  rsa: SharedRsa,
  place: { userId: string; keysetVersion: number; prevFingerprint: string },
  by: { seed: Bytes; vouching: SigningKey | null; former: readonly CertificateWire[] },
): Promise<Signer> {
  const [signingKey, ed25519] = await Promise.all([importSigningKey(by.seed), publicKeyOf(by.seed)]);
  const certified = { ...place, ed25519, rsaSpki: rsa.spki };
  const certificate = {
    ...(await signCertificate(signingKey, certified)),
    sig_prev_base64: by.vouching === null ? null : encodeBase64(await sign(by.vouching, certificateMessage(certified))),
  };
  const [rsaPrivateKey, userKey] = await Promise.all([
    importRsaPrivateKey(rsa.pkcs8),
    importSealingKey(randomBytes(32)),
  ]);
  const keyring = keyringOf(await verifyCertificate(certificate), { userKey, rsaPrivateKey, signingKey });
  return { userId: place.userId, keyring, certificate, certificates: [...by.former, certificate] };
}

/** A certificate with one bit of its vouching signature flipped. */
export function withBrokenVouch(certificate: CertificateWire): CertificateWire {
  const signature = decodeBase64(certificate.sig_prev_base64);
  signature[0] = (signature[0] ?? 0) ^ 1;
  return { ...certificate, sig_prev_base64: encodeBase64(signature) };
}
