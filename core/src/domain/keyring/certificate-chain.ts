import { decodeBase64 } from '../../crypto/bytes.ts';
import { verify } from '../../crypto/ed25519.ts';
import { CryptoError } from '../../crypto/errors.ts';
import { type CertificateWire, type PublicIdentity, certificateMessage, verifyCertificate } from './certificate.ts';

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
