import type { NewGrant } from '@passwordbroker/core/contract/groups/entry-groups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { encodeHex } from '@passwordbroker/core/crypto/bytes';
import type { PublicIdentity } from '@passwordbroker/core/domain/keyring/certificate';
import { type Recipient, type Roles, checkGrants, decoded, malformed } from './grant-checks.ts';
import type { NewGroupKeyRows } from '../key-repository.ts';
import { type SentRoster, type SignedRoster, nextRosterRow, readSignedRoster } from '../signed-roster.ts';

export interface NewGroupKey extends SentRoster {
  readonly gk_commit_base64: string;
  readonly grants: readonly NewGrant[];
}

interface Birth {
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
export function checkBirth(
  birth: Birth,
  sent: NewGroupKey,
  { roster, recipients }: { readonly roster: SignedRoster; readonly recipients: ReadonlyMap<string, Recipient> },
): NewGroupKeyRows {
  const { groupId, creatorId, roles, now } = birth;
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

/** Like `checkBirth`, but also verifies the roster. */
export async function checkNewKey(
  identities: ReadonlyMap<string, PublicIdentity>,
  birth: Birth,
  sent: NewGroupKey,
): Promise<NewGroupKeyRows> {
  const signer = identities.get(birth.creatorId);
  if (signer === undefined) throw new AppError('rewrap_set_mismatch');
  const recipients = new Map(
    [...identities].map(([userId, { fingerprint, rsa }]) => [userId, { fingerprint, bits: rsa.bits }]),
  );
  const roster = await readSignedRoster(signer, sent, birth.groupId);
  return checkBirth(birth, sent, { roster, recipients });
}
