/** Key proofs (ADR 22): the signer of a roster knew the group's secret. */
import { sha256 } from '#primitives';
import { type Bytes, decodeBase64, encodeBase64, sameBytes } from '../../crypto/bytes.ts';
import { deriveBytes } from '../../crypto/kdf.ts';
import type { GroupSecret } from '../groups/grants.ts';

export const PROOF_BYTES = 32;

export interface RosterProofWire {
  /** Null before release 1.1. */
  readonly roster_proof_base64: string | null;
  /** Under the previous secret, if the roster raises the version (except seq 0). */
  readonly roster_proof_prev_base64: string | null;
}

export interface SentProofs {
  readonly roster_proof_base64?: string;
  readonly roster_proof_prev_base64?: string;
}

export interface ProvedList {
  readonly groupId: string;
  readonly version: number;
  readonly rosterBase64: string;
}

export async function proveRoster(secret: GroupSecret, list: ProvedList): Promise<string> {
  return encodeBase64(await proofOf(secret, list));
}

/** False for a malformed proof; never throws. */
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
