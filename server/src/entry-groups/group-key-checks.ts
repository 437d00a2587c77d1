/** What the server judges of a new group's key: grants and the roster of its birth (`crypto.md` §19, 4 and 7). */
import type { NewGrant } from '@passwordbroker/core/contract/entry-groups';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';
import { decodeBase64, encodeHex } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { type PublicIdentity, verifyCertificate } from '@passwordbroker/core/domain/certificate';
import { GRANT_ALGORITHM } from '@passwordbroker/core/domain/grants';
import type { Role } from '@passwordbroker/core/domain/policy';
import { verifyRosterOf } from '@passwordbroker/core/domain/roster';
import { isGroupSecretWrapShape } from '@passwordbroker/core/domain/sealed-shape';
import type { Transact } from '../db/database.ts';
import { asCertificate } from '../users/key-repository.ts';
import type { NewGroupKeyRows } from './key-repository.ts';
import { listPresentKeys } from './member-repository.ts';

/** Who is to be a member, in which role. */
export type Roles = ReadonlyMap<string, Role>;

export interface NewGroupKey {
  readonly gk_commit_base64: string;
  readonly grants: readonly NewGrant[];
  readonly roster_base64: string;
  readonly roster_sig_base64: string;
}

interface Birth {
  readonly groupId: string;
  readonly creatorId: string;
  readonly roles: Roles;
  readonly now: number;
}

const VERSION = 1;
const COMMITMENT_BYTES = 32;

function malformed(...path: readonly string[]): AppError {
  return new AppError('bad_sealed_value', { errors: { [path.join('.')]: [TEXTS.malformed(labelOf(path))] } });
}

function decoded(text: string, ...path: readonly string[]): Buffer {
  try {
    return Buffer.from(decodeBase64(text).buffer);
  } catch {
    throw malformed(...path);
  }
}

/** The present keys of everybody who is to be a member. @throws AppError `rewrap_set_mismatch` when one has none */
async function presentIdentities(tx: Transact, roles: Roles): Promise<Map<string, PublicIdentity>> {
  const rows = await listPresentKeys(tx, [...roles.keys()]);
  const identities = await Promise.all(rows.map((row) => verifyCertificate(asCertificate(row))));
  if (identities.length !== roles.size) throw new AppError('rewrap_set_mismatch');
  return new Map(identities.map((identity) => [identity.userId, identity]));
}

/** @throws AppError `bad_sealed_value`, `rewrap_set_mismatch`, `roster_conflict` */
export async function checkBirth(tx: Transact, birth: Birth, sent: NewGroupKey): Promise<NewGroupKeyRows> {
  return checkNewKey(await presentIdentities(tx, birth.roles), birth, sent);
}

/** As `checkBirth`, with the members' present identities at hand. */
export async function checkNewKey(
  identities: ReadonlyMap<string, PublicIdentity>,
  birth: Birth,
  sent: NewGroupKey,
): Promise<NewGroupKeyRows> {
  const commit = decoded(sent.gk_commit_base64, 'gk_commit_base64');
  if (commit.length !== COMMITMENT_BYTES) throw malformed('gk_commit_base64');
  const grants = checkGrants(birth, sent.grants, identities);
  const roster = await checkRoster(birth, sent, identities, encodeHex(commit));
  const { groupId, now } = birth;
  return { key: { entry_group_id: groupId, gk_version: VERSION, gk_commit: commit, created_at: now }, grants, roster };
}

/** Exactly one grant for each member, in his role, for his present key. */
function checkGrants(birth: Birth, grants: readonly NewGrant[], identities: ReadonlyMap<string, PublicIdentity>) {
  const { groupId, creatorId, roles, now } = birth;
  const seen = new Set(grants.map((grant) => grant.user_id));
  if (seen.size !== grants.length || seen.size !== roles.size) throw new AppError('rewrap_set_mismatch');
  return grants.map((grant, at) => {
    const identity = identities.get(grant.user_id);
    const isExpected = roles.get(grant.user_id) === grant.role && identity?.fingerprint === grant.recipient_fpr;
    if (!isExpected || identity === undefined) throw new AppError('rewrap_set_mismatch');
    const place = ['grants', String(at), 'encrypted_aes_password'] as const;
    const wrapped = decoded(grant.encrypted_aes_password, ...place);
    if (!isGroupSecretWrapShape(wrapped, identity.rsa.bits)) throw malformed(...place);
    return {
      entry_group_id: groupId,
      gk_version: VERSION,
      user_id: grant.user_id,
      alg: GRANT_ALGORITHM,
      wrapped,
      role: grant.role,
      recipient_fpr: grant.recipient_fpr,
      granted_by: creatorId,
      created_at: now,
    };
  });
}

async function checkRoster(
  { groupId, creatorId, roles, now }: Birth,
  sent: NewGroupKey,
  identities: ReadonlyMap<string, PublicIdentity>,
  commit: string,
) {
  const signer = identities.get(creatorId);
  if (signer === undefined) throw new AppError('rewrap_set_mismatch');
  const bytes = decoded(sent.roster_base64, 'roster_base64');
  const sig = decoded(sent.roster_sig_base64, 'roster_sig_base64');
  const content = await verifyRosterOf(signer, sent, groupId).catch((error: unknown) => {
    throw error instanceof CryptoError ? malformed('roster_base64') : error;
  });
  const isBirth = content.seq === 0 && content.gkVersion === VERSION && content.gkCommit === commit;
  const isWhole =
    content.members.length === roles.size &&
    content.members.every(
      (member) =>
        roles.get(member.userId) === member.role && identities.get(member.userId)?.fingerprint === member.fingerprint,
    );
  if (!isBirth || !isWhole) throw new AppError('roster_conflict', { details: { current_seq: null } });
  return {
    entry_group_id: groupId,
    seq: 0,
    bytes,
    sig,
    signer: creatorId,
    signer_fpr: signer.fingerprint,
    created_at: now,
  };
}
