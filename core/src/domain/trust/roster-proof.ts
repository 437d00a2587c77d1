/** Key proofs (`crypto.md` §9): beside a signed list, they show that its signer held the group's secret. */
import { sha256 } from '#primitives';
import { type Bytes, decodeBase64, encodeBase64, sameBytes } from '../../crypto/bytes.ts';
import { deriveBytes } from '../../crypto/kdf.ts';
import type { GroupSecret } from '../grants.ts';

export const PROOF_BYTES = 32;

export interface RosterProofWire {
  /** Under the secret of the list's own version. Null for lists from before 1.1. */
  readonly roster_proof_base64: string | null;
  /** Under the secret of the version before, on a list that raises the version (but for seq 0). */
  readonly roster_proof_prev_base64: string | null;
}

/** As sent with a new list: absent where there is none. */
export interface SentProofs {
  readonly roster_proof_base64?: string;
  readonly roster_proof_prev_base64?: string;
}

/** Which list is proved: its bytes as signed, and the version whose secret proves it. */
export interface ProvedList {
  readonly groupId: string;
  readonly version: number;
  readonly rosterBase64: string;
}

/** @returns base64 of 32 bytes that only a holder of the version's secret can make for this list */
export async function proveRoster(secret: GroupSecret, list: ProvedList): Promise<string> {
  return encodeBase64(await proofOf(secret, list));
}

/** Whether the proof was made with this secret for this list. False for none and for anything malformed, never an error. */
export async function isProofOf(
  proofBase64: string | null | undefined,
  secret: GroupSecret,
  list: ProvedList,
): Promise<boolean> {
  let proof: Bytes;
  try {
    proof = decodeBase64(proofBase64);
  } catch {
    return false;
  }
  return sameBytes(proof, await proofOf(secret, list));
}

async function proofOf(secret: GroupSecret, { groupId, version, rosterBase64 }: ProvedList): Promise<Bytes> {
  const digest = await sha256(decodeBase64(rosterBase64));
  return deriveBytes(secret, new Uint8Array(0), ['pb1:roster-proof', groupId, String(version), digest], PROOF_BYTES);
}
