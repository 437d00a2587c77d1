/** Public keys under one fingerprint, self-signed (docs/spec/crypto.md §7). */
import { sha256 } from '#primitives';
import { type Bytes, decodeBase64, encodeBase64, encodeHex, encodePieces } from '../../crypto/bytes.ts';
import { type SigningKey, checkPublicKey, sign, verify } from '../../crypto/ed25519.ts';
import { CryptoError } from '../../crypto/errors.ts';
import { type RsaPublicKey, importRsaPublicKey } from '../../crypto/rsa.ts';

/** `fpr` is recomputed, never trusted. */
export interface CertificateWire {
  readonly v: 1;
  readonly user_id: string;
  readonly keyset_version: number;
  readonly ed25519_base64: string;
  readonly rsa_spki_base64: string;
  readonly prev_fpr: string;
  readonly fpr?: string;
  readonly sig_base64: string;
  readonly sig_prev_base64: string | null;
}

export interface PublicIdentity {
  readonly userId: string;
  readonly keysetVersion: number;
  readonly fingerprint: string;
  readonly prevFingerprint: string;
  readonly ed25519: Bytes;
  readonly rsaSpki: Bytes;
  readonly rsa: RsaPublicKey;
}

export async function fingerprintOf(userId: string, ed25519: Bytes, rsaSpki: Bytes): Promise<string> {
  return encodeHex(await sha256(encodePieces(['pb1:identity', userId, ed25519, rsaSpki])));
}

interface Certified {
  readonly userId: string;
  readonly keysetVersion: number;
  readonly ed25519: Bytes;
  readonly rsaSpki: Bytes;
  readonly prevFingerprint: string;
}

export function certificateMessage(certified: Certified): Bytes {
  const { userId, keysetVersion, ed25519, rsaSpki, prevFingerprint } = certified;
  return encodePieces(['pb1:cert', userId, String(keysetVersion), ed25519, rsaSpki, prevFingerprint]);
}

export async function signCertificate(
  key: SigningKey,
  certified: Certified,
): Promise<CertificateWire & { readonly fpr: string }> {
  return {
    v: 1,
    user_id: certified.userId,
    keyset_version: certified.keysetVersion,
    ed25519_base64: encodeBase64(certified.ed25519),
    rsa_spki_base64: encodeBase64(certified.rsaSpki),
    prev_fpr: certified.prevFingerprint,
    fpr: await fingerprintOf(certified.userId, certified.ed25519, certified.rsaSpki),
    sig_base64: encodeBase64(await sign(key, certificateMessage(certified))),
    sig_prev_base64: null,
  };
}

/**
 * Checks keys, signature and fingerprint.
 * @throws CryptoError `base64`, `public_key`, `signature`, `certificate` (also for null)
 */
export async function verifyCertificate(wire: CertificateWire | null): Promise<PublicIdentity> {
  if (wire === null) throw new CryptoError('certificate');
  checkForm(wire);
  const ed25519 = decodeBase64(wire.ed25519_base64);
  const rsaSpki = decodeBase64(wire.rsa_spki_base64);
  const signature = decodeBase64(wire.sig_base64);
  checkPublicKey(ed25519);
  const rsa = await importRsaPublicKey(rsaSpki);
  const certified = {
    userId: wire.user_id,
    keysetVersion: wire.keyset_version,
    ed25519,
    rsaSpki,
    prevFingerprint: wire.prev_fpr,
  };
  if (!(await verify(ed25519, certificateMessage(certified), signature))) throw new CryptoError('signature');
  const fingerprint = await fingerprintOf(wire.user_id, ed25519, rsaSpki);
  if (wire.fpr !== undefined && wire.fpr !== fingerprint) throw new CryptoError('certificate');
  return { ...certified, fingerprint, rsa };
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FINGERPRINT_OR_NONE = /^(?:[0-9a-f]{64})?$/;

function checkForm({ v, user_id, keyset_version, prev_fpr, sig_prev_base64 }: CertificateWire): void {
  const isShaped =
    v === 1 &&
    typeof user_id === 'string' &&
    ID.test(user_id) &&
    Number.isSafeInteger(keyset_version) &&
    keyset_version >= 1 &&
    typeof prev_fpr === 'string' &&
    FINGERPRINT_OR_NONE.test(prev_fpr) &&
    (sig_prev_base64 === null || decodeBase64(sig_prev_base64).length === 64);
  if (!isShaped) throw new CryptoError('certificate');
}

/** A verified key with the fingerprints that lead to it by valid signatures; newest first. */
export interface KeyChain {
  readonly identity: PublicIdentity;
  readonly fingerprints: readonly string[];
}

export type Follow = (certificate: CertificateWire | null, former: readonly CertificateWire[]) => Promise<KeyChain>;

const MAX_LINKS = 64;

/**
 * Verifies a certificate and follows its `sig_prev` signatures back (docs/spec/crypto.md §6, §7). A missing
 * certificate or an invalid signature ends the chain.
 * @throws CryptoError as `verifyCertificate`; `certificate` for more than 64 steps or a cycle
 */
export async function followCertificates(
  certificate: CertificateWire | null,
  former: readonly CertificateWire[],
): Promise<KeyChain> {
  const identity = await verifyCertificate(certificate);
  const fingerprints = [identity.fingerprint];
  let newer: Verified = { wire: certificate as CertificateWire, identity };
  while (newer.identity.prevFingerprint !== '') {
    const wanted = newer.identity.prevFingerprint;
    if (fingerprints.length > MAX_LINKS || fingerprints.includes(wanted)) throw new CryptoError('certificate');
    const older = await findFormer(newer.identity, former);
    if (older === null || !(await isVouchedFor(newer, older.identity))) break;
    fingerprints.push(wanted);
    newer = older;
  }
  return { identity, fingerprints };
}

interface Verified {
  readonly wire: CertificateWire;
  readonly identity: PublicIdentity;
}

async function findFormer(
  { userId, keysetVersion, prevFingerprint }: PublicIdentity,
  former: readonly CertificateWire[],
): Promise<Verified | null> {
  for (const wire of former) {
    if (wire.user_id !== userId || wire.keyset_version !== keysetVersion - 1) continue;
    const identity = await verifyCertificate(wire).catch(() => null);
    if (identity?.fingerprint === prevFingerprint) return { wire, identity };
  }
  return null;
}

function isVouchedFor({ wire, identity }: Verified, older: PublicIdentity): Promise<boolean> | false {
  return (
    wire.sig_prev_base64 !== null &&
    verify(older.ed25519, certificateMessage(identity), decodeBase64(wire.sig_prev_base64))
  );
}
