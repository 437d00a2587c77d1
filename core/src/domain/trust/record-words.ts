import { sha256 } from '#primitives';
import { encodeHex, encodePieces, utf8 } from '../../crypto/bytes.ts';
import type { TrustRecord } from './trust-record.ts';

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
