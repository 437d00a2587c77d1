import type { KeyChain } from '../keyring/certificate.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { decidedKeysOf, isCompared, type TrustRecord } from './trust-record.ts';
import { sha256 } from '#primitives';
import { encodeHex, encodePieces, utf8 } from '../../crypto/bytes.ts';

export type KeyVerdict = 'compared' | 'refuted' | 'not-compared';

/**
 * Judges a verified key (ADR 23). `refuted`: a decided key does not lead to it. `compared`: it, or one that
 * leads to it, was. `not-compared`: no decided key, or one trusted on first use. Of own keys only the present
 * one is valid.
 */
export function verdictByRecord(
  { identity: { userId, fingerprint }, fingerprints }: KeyChain,
  record: TrustRecord,
  self: Pick<Keyring, 'userId' | 'fingerprint'>,
): KeyVerdict {
  if (userId === self.userId) return fingerprint === self.fingerprint ? 'compared' : 'refuted';
  const decided = decidedKeysOf(record, userId);
  if (!decided.every((known) => fingerprints.includes(known))) return 'refuted';
  return decided.some((known) => isCompared(record, userId, known)) ? 'compared' : 'not-compared';
}

/** For comparing two browsers by words; JSON members in any order. */
export async function recordDigest(userId: string, n: number, record: TrustRecord): Promise<string> {
  const content = await sha256(utf8(canonicalText(record)));
  return encodeHex(await sha256(encodePieces(['pb1:trust-words', userId, String(n), content])));
}

function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join()}}`;
}
