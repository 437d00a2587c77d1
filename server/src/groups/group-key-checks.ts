import type { NewGrant } from '@passwordbroker/core/contract/groups/entry-groups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { encodeHex } from '@passwordbroker/core/crypto/bytes';
import type { NewGroupKeyRows } from './key-repository.ts';
import { type SentRoster, type SignedRoster, decoded, malformed, nextRosterRow } from './signed-roster.ts';
import { GRANT_ALGORITHM } from '@passwordbroker/core/domain/groups/grants';
import type { Role } from '@passwordbroker/core/domain/policy';
import { isGroupSecretWrapShape } from '@passwordbroker/core/domain/fields/sealed-shape';
import type { Tables } from '../db/schema/tables.ts';

interface NewGroupKey extends SentRoster {
  readonly gk_commit_base64: string;
  readonly grants: readonly NewGrant[];
}

interface NewGroup {
  readonly groupId: string;
  readonly creatorId: string;
  readonly roles: Roles;
  readonly now: number;
}

const COMMITMENT_BYTES = 32;
const FIRST_VERSION = 1;

/** @throws AppError `bad_sealed_value` */
export function decodedCommitment(sent: Pick<NewGroupKey, 'gk_commit_base64'>): Buffer {
  const commit = decoded(sent.gk_commit_base64, 'gk_commit_base64');
  if (commit.length !== COMMITMENT_BYTES) throw malformed('gk_commit_base64');
  return commit;
}

/**
 * Rows of a group's first key (docs/spec/crypto.md §19.4, §19.7). The roster is verified already.
 * @throws AppError `bad_sealed_value`, `rewrap_set_mismatch`, `roster_conflict`
 */
export function checkNewGroup(
  newGroup: NewGroup,
  sent: NewGroupKey,
  { roster, recipients }: { readonly roster: SignedRoster; readonly recipients: ReadonlyMap<string, Recipient> },
): NewGroupKeyRows {
  const { groupId, creatorId, roles, now } = newGroup;
  const commit = decodedCommitment(sent);
  if (recipients.size !== roles.size) throw new AppError('rewrap_set_mismatch');
  const granting = { groupId, version: FIRST_VERSION, granterId: creatorId, roles, now };
  const grants = checkGrants(granting, sent.grants, recipients);
  const members = [...roles].map(([userId, role]) => ({
    userId,
    role,
    fingerprint: recipients.get(userId)?.fingerprint ?? '',
  }));
  const after = { gkVersion: FIRST_VERSION, gkCommit: encodeHex(new Uint8Array(commit)), members };
  return {
    key: { entry_group_id: groupId, gk_version: FIRST_VERSION, gk_commit: commit, created_at: now },
    grants,
    roster: nextRosterRow(roster, null, after, now),
  };
}

/** User ids with roles. */
export type Roles = ReadonlyMap<string, Role>;

export interface Recipient {
  readonly fingerprint: string;
  /** Size of the RSA modulus: 3072 or 4096. */
  readonly bits: number;
}

interface Granting {
  readonly groupId: string;
  readonly version: number;
  readonly granterId: string;
  readonly roles: Roles;
  readonly now: number;
}

/** @param bits of the RSA modulus @throws AppError `bad_sealed_value` */
export function decodedWrap(text: string, bits: number, ...path: readonly string[]): Buffer {
  const wrapped = decoded(text, ...path);
  if (!isGroupSecretWrapShape(wrapped, bits)) throw malformed(...path);
  return wrapped;
}

/**
 * One grant for each member, with role and current key (docs/spec/crypto.md §19.4).
 * @throws AppError `rewrap_set_mismatch`, `bad_sealed_value`
 */
export function checkGrants(
  { groupId, version, granterId, roles, now }: Granting,
  grants: readonly NewGrant[],
  recipients: ReadonlyMap<string, Recipient>,
): Tables['group_grants'][] {
  const seen = new Set(grants.map((grant) => grant.user_id));
  if (seen.size !== grants.length || seen.size !== roles.size) throw new AppError('rewrap_set_mismatch');
  return grants.map((grant, at) => {
    const recipient = recipients.get(grant.user_id);
    const isExpected = roles.get(grant.user_id) === grant.role && recipient?.fingerprint === grant.recipient_fpr;
    if (!isExpected || recipient === undefined) throw new AppError('rewrap_set_mismatch');
    return {
      entry_group_id: groupId,
      gk_version: version,
      user_id: grant.user_id,
      alg: GRANT_ALGORITHM,
      wrapped: decodedWrap(
        grant.encrypted_aes_password,
        recipient.bits,
        'grants',
        String(at),
        'encrypted_aes_password',
      ),
      role: grant.role,
      recipient_fpr: grant.recipient_fpr,
      granted_by: granterId,
      created_at: now,
    };
  });
}
