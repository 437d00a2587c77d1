import type { KeyChain } from '../keyring/certificate.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { decidedKeysOf, isCompared, type TrustRecord } from './trust-record.ts';

export type KeyVerdict = 'compared' | 'refuted' | 'unknown';

/**
 * Judges a verified key (ADR 23). `refuted`: a decided key does not lead to it. `compared`: it, or one that
 * leads to it, was. Of own keys only the present one is valid.
 */
export function verdictByRecord(
  { identity: { userId, fingerprint }, fingerprints }: KeyChain,
  record: TrustRecord,
  self: Pick<Keyring, 'userId' | 'fingerprint'>,
): KeyVerdict {
  if (userId === self.userId) return fingerprint === self.fingerprint ? 'compared' : 'refuted';
  const decided = decidedKeysOf(record, userId);
  if (!decided.every((known) => fingerprints.includes(known))) return 'refuted';
  return decided.some((known) => isCompared(record, userId, known)) ? 'compared' : 'unknown';
}
