/**
 * Rosters in requests (docs/spec/crypto.md §19.7). Signatures are verified before the transaction, sequence
 * numbers in it.
 */
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { PublicIdentity } from '@passwordbroker/core/domain/keyring/certificate';
import {
  type RosterContent,
  type RosterWire,
  readRoster,
  verifyRosterOf,
  PROOF_BYTES,
} from '@passwordbroker/core/domain/rosters/roster';
import {
  type GroupAfterChange,
  type PresentRoster,
  checkRoster,
} from '@passwordbroker/core/domain/rosters/roster-chain';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import { findPresentKey } from '../users/keys/key-repository.ts';
import { sha256 } from '../platform/ids-and-digests.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

export type Signer = Pick<PublicIdentity, 'userId' | 'fingerprint' | 'ed25519'>;

export interface SignedRoster {
  readonly content: RosterContent;
  readonly bytes: Buffer;
  readonly sig: Buffer;
  readonly signerFingerprint: string;
  /** Null if and only if the roster declares no proof. Only clients can verify it. */
  readonly proof: Buffer | null;
  readonly proofPrev: Buffer | null;
}

export interface SentRoster extends RosterWire {
  readonly roster_proof_base64?: string | undefined;
  readonly roster_proof_prev_base64?: string | undefined;
}

/** Size limits in bytes, against padding, because all rosters are kept. */
const ROOM = { forTheRest: 1024, forEach: 256 } as const;

/** Verifies the signature. @throws AppError `bad_sealed_value` */
export async function readSignedRoster(signer: Signer, sent: SentRoster, groupId: string): Promise<SignedRoster> {
  const bytes = decoded(sent.roster_base64, 'roster_base64');
  const sig = decoded(sent.roster_sig_base64, 'roster_sig_base64');
  const content = await verifyRosterOf(signer, sent, groupId).catch((error: unknown) => {
    throw error instanceof CryptoError ? malformed('roster_base64') : error;
  });
  if (bytes.length > ROOM.forTheRest + ROOM.forEach * content.members.length) throw malformed('roster_base64');
  const proof = sentProof(sent, 'roster_proof_base64');
  const proofPrev = sentProof(sent, 'roster_proof_prev_base64');
  const isProved = content.hasProof === true;
  if ((proof !== null) !== isProved) throw malformed('roster_proof_base64');
  if (proofPrev !== null && !isProved) throw malformed('roster_proof_prev_base64');
  return { content, bytes, sig, signerFingerprint: signer.fingerprint, proof, proofPrev };
}

function sentProof(sent: SentRoster, member: 'roster_proof_base64' | 'roster_proof_prev_base64'): Buffer | null {
  const text = sent[member];
  if (text === undefined) return null;
  const proof = decoded(text, member);
  if (proof.length !== PROOF_BYTES) throw malformed(member);
  return proof;
}

/** Like `readSignedRoster`, with the caller's current key. @throws AppError `conflict` without keys */
export async function readOwnRoster(
  db: Database,
  caller: { readonly userId: string },
  sent: SentRoster,
  groupId: string,
): Promise<SignedRoster> {
  return readSignedRoster(signerOrRefuse(await findSigner(db, caller.userId)), sent, groupId);
}

/** Returns null for an account without keys. */
export async function findSigner(db: Database, userId: string): Promise<Signer | null> {
  const key = await findPresentKey(db, userId);
  if (key === undefined) return null;
  return { userId, fingerprint: key.fpr, ed25519: new Uint8Array(key.ed25519) };
}

/** @throws AppError `conflict` */
export function signerOrRefuse(signer: Signer | null): Signer {
  if (signer === null) throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  return signer;
}

export interface StoredRoster extends PresentRoster {
  readonly bytes: Buffer;
}

/**
 * The roster must follow `present` and describe `after`.
 * @throws AppError `roster_conflict`; `bad_sealed_value` for a wrong second proof; `conflict` if the proof
 * was dropped
 */
export function nextRosterRow(
  signed: SignedRoster,
  present: StoredRoster | null,
  after: GroupAfterChange,
  now: number,
): Tables['group_rosters'] {
  const { content, bytes, sig, signerFingerprint, proof, proofPrev } = signed;
  if (checkRoster(content, present, after) !== null) throw rosterConflict(present?.seq ?? null);
  checkProofs(signed, present);
  return {
    entry_group_id: content.groupId,
    seq: content.seq,
    bytes,
    sig,
    signer: content.signer,
    signer_fpr: signerFingerprint,
    created_at: now,
    proof,
    proof_prev: proofPrev,
  };
}

function checkProofs({ content, proofPrev }: SignedRoster, present: StoredRoster | null): void {
  const before = present === null ? null : readRoster(new Uint8Array(present.bytes));
  if (before?.hasProof === true && content.hasProof !== true) {
    throw new AppError('conflict', { message: SERVER_TEXTS.proofMissing });
  }
  const isRise = content.hasProof === true && before !== null && content.gkVersion > before.gkVersion;
  if ((proofPrev !== null) !== isRise) throw malformed('roster_proof_prev_base64');
}

/** For the audit log: an export reveals rosters that were rolled back. */
export const hashOfRow = ({ bytes }: Pick<Tables['group_rosters'], 'bytes'>): string => sha256(bytes).toString('hex');

export const rosterConflict = (seq: number | null) =>
  new AppError('roster_conflict', { details: { current_seq: seq } });

/** @throws AppError `bad_sealed_value` naming the member */
export function decoded(text: string, ...path: readonly string[]): Buffer {
  try {
    return Buffer.from(decodeBase64(text).buffer);
  } catch {
    throw malformed(...path);
  }
}

export function malformed(...path: readonly string[]): AppError {
  return new AppError('bad_sealed_value', { errors: { [path.join('.')]: [TEXTS.malformed(labelOf(path))] } });
}
