/** From a person's present key back to the former ones that vouch for it (`crypto.md` §6, §7: `prev_fpr` and `sig_prev`). */
import { decodeBase64 } from '../../crypto/bytes.ts';
import { verify } from '../../crypto/ed25519.ts';
import { CryptoError } from '../../crypto/errors.ts';
import { type CertificateWire, type PublicIdentity, certificateMessage, verifyCertificate } from './certificate.ts';

/** A verified key with every fingerprint that leads to it by valid signatures, newest first: its own is the first. */
export interface KeyChain {
  readonly identity: PublicIdentity;
  readonly fingerprints: readonly string[];
}

export type Follow = (certificate: CertificateWire | null, former: readonly CertificateWire[]) => Promise<KeyChain>;

const MAX_LINKS = 64;

/**
 * Verifies a certificate and follows it back as far as it is vouched for: a missing former certificate, or one whose key did not sign, ends the
 * way without an error.
 * @param former certificates that may be on the way, in any order; those of other people are passed over
 * @throws CryptoError those of `verifyCertificate`; `certificate` for a way of more than 64 steps or one that comes back to itself
 */
export async function followCertificates(
  certificate: CertificateWire | null,
  former: readonly CertificateWire[],
): Promise<KeyChain> {
  const identity = await verifyCertificate(certificate);
  const fingerprints = [identity.fingerprint];
  // What was verified is there.
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

/** The certificate just before this one. What cannot be verified is none. */
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
