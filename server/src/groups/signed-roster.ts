/** Rosters in requests: the signature is checked before the transaction, the sequence number inside it (docs/spec/crypto.md §19.7). */
import { AppError } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { PublicIdentity } from '@passwordbroker/core/domain/keyring/certificate';
import type { RosterContent, RosterWire } from '@passwordbroker/core/domain/rosters/roster';
import { readRoster, verifyRosterOf } from '@passwordbroker/core/domain/rosters/roster';
import {
  type GroupAfterChange,
  type PresentRoster,
  checkRoster,
} from '@passwordbroker/core/domain/rosters/check-roster';
import { PROOF_BYTES } from '@passwordbroker/core/domain/rosters/roster-proof';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import { findPresentKey } from '../users/keys/key-repository.ts';
import { decoded, malformed } from './create/grant-checks.ts';
import { sha256 } from '../platform/secrets.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

export type Signer = Pick<PublicIdentity, 'userId' | 'fingerprint' | 'ed25519'>;

export interface SignedRoster {
  readonly content: RosterContent;
  readonly bytes: Buffer;
  readonly sig: Buffer;
  /** Fingerprint of the certificate that it is signed under. */
  readonly signerFingerprint: string;
  /** Null exactly where the list says that it has none. What it proves is for its members to judge. */
  readonly proof: Buffer | null;
  readonly proofPrev: Buffer | null;
}

/** A list with its proofs, as it is sent. */
export interface SentRoster extends RosterWire {
  readonly roster_proof_base64?: string | undefined;
  readonly roster_proof_prev_base64?: string | undefined;
}

/**
 * All rosters are kept, and members may ask for all at once: padding would fill disk and memory. A list as it is spelled by us takes half of this.
 */
const ROOM = { forTheRest: 1024, forEach: 256 } as const;

/** The roster, signed by this person as an admin of it. @throws AppError `bad_sealed_value` */
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

/** As `readSignedRoster`, signed with the caller's present keys. @throws AppError `bad_sealed_value`, `conflict` for an account without keys */
export async function readOwnRoster(
  db: Database,
  caller: { readonly userId: string },
  sent: SentRoster,
  groupId: string,
): Promise<SignedRoster> {
  return readSignedRoster(signerOrRefuse(await findSigner(db, caller.userId)), sent, groupId);
}

/** The person's current key; null for an account without keys. */
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

/** The group's newest stored roster. */
export interface StoredRoster extends PresentRoster {
  readonly bytes: Buffer;
}

/**
 * The row of a roster that is the next one and says what the act makes of the group.
 * @throws AppError `roster_conflict`; `bad_sealed_value` for a second proof that is missing or not expected; `conflict` for a list without proof after one with
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

/** Hex SHA-256 of a list's bytes, as the audit log keeps it: a log elsewhere contradicts lists that were rolled back. */
export const hashOfRow = ({ bytes }: Pick<Tables['group_rosters'], 'bytes'>): string => sha256(bytes).toString('hex');

/** `seq` of the group's newest roster, null without one. */
export const rosterConflict = (seq: number | null) =>
  new AppError('roster_conflict', { details: { current_seq: seq } });
