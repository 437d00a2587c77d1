import type { rotate } from '@passwordbroker/core/contract/groups/members';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact } from '../../db/database.ts';
import { checkGrants } from '../../groups/create/grant-checks.ts';
import { decodedCommitment } from '../../groups/create/group-key-checks.ts';
import { type GroupRow, findGroupInAct } from '../../groups/group-repository.ts';
import { listRecipients } from '../../groups/member-repository.ts';
import { hashOfRow, nextRosterRow, readOwnRoster, rosterConflict } from '../../groups/signed-roster.ts';
import type { Deps } from '../../http/context.ts';
import type { Caller } from '../../operations/caller.ts';
import { appendKey, appendRoster } from '../change-repository.ts';
import { findPresentRoster, listPresentMembers } from '../present-repository.ts';
import { countFormer, deleteFormerGrants } from './rotation-repository.ts';

export interface Rotated {
  readonly entry_group_id: string;
  readonly gk_version: number;
  /** Number of revisions under older versions. */
  readonly pending: number;
}

/**
 * New key, roster and grants (docs/spec/crypto.md §12, phase 1).
 * @throws AppError `bad_sealed_value`, `key_version_conflict`, `rewrap_set_mismatch`, `roster_conflict`
 */
export async function rotateGroup(
  deps: Deps,
  caller: Caller,
  groupId: string,
  sent: BodyOf<typeof rotate>,
): Promise<Rotated> {
  const { actor } = caller;
  const version = sent.base_gk_version + 1;
  if (sent.gk_version !== version) throw refuse('gk_version', TEXTS.between(version, version)('gk version'));
  const commit = decodedCommitment(sent);
  const roster = await readOwnRoster(deps.db, actor, sent, groupId);
  return deps.db.transact(async (tx) => {
    const group = await rotatableInAct(tx, caller, groupId);
    refuseOtherVersion(group, sent.base_gk_version);
    const now = deps.clock.now();
    const members = await listPresentMembers(tx, groupId);
    const roles = new Map(members.map(({ userId, role }) => [userId, role]));
    const granting = { groupId, version, granterId: actor.userId, roles, now };
    const grants = checkGrants(granting, sent.grants, await listRecipients(tx, [...roles.keys()]));
    const present = await findPresentRoster(tx, groupId);
    const after = { gkVersion: version, gkCommit: commit.toString('hex'), members };
    const row = nextRosterRow(roster, present, after, now);
    const key = { entry_group_id: groupId, gk_version: version, gk_commit: commit, created_at: now };
    if (!(await appendKey(tx, { key, grants }))) throw await versionConflict(tx, caller, groupId);
    if (!(await appendRoster(tx, row, present))) throw rosterConflict(present?.seq ?? null);
    await recordEvent(tx, deps, {
      event_type: 'key_rotated',
      ...caller,
      target_type: 'entry_group',
      target_id: groupId,
      details: { gk_version: version, roster_hash: hashOfRow(row) },
    });
    return { entry_group_id: groupId, gk_version: version, pending: await forgetFormer(tx, groupId, version) };
  });
}

/** @throws AppError `not_found`, `forbidden` */
export async function rotatableInAct(tx: Transact, { actor }: Caller, groupId: string): Promise<GroupRow> {
  const group = await findGroupInAct(tx, groupId, actor.userId);
  if (group === undefined) throw new AppError('not_found');
  if (!can(group.role, 'group.rotate')) throw new AppError('forbidden');
  return group;
}

/** @throws AppError `key_version_conflict` */
export function refuseOtherVersion({ gk_version }: Pick<GroupRow, 'gk_version'>, expected: number): void {
  if (gk_version !== expected) {
    throw new AppError('key_version_conflict', { details: { current_gk_version: gk_version } });
  }
}

async function versionConflict(tx: Transact, caller: Caller, groupId: string): Promise<AppError> {
  const { gk_version } = await rotatableInAct(tx, caller, groupId);
  return new AppError('key_version_conflict', { details: { current_gk_version: gk_version } });
}

/** Deletes grants of unused versions. Returns the number of revisions under older ones. */
export async function forgetFormer(tx: Transact, groupId: string, version: number): Promise<number> {
  const former = await countFormer(tx, groupId, version);
  await deleteFormerGrants(tx, groupId, { version, inUse: [...former.keys()] });
  return [...former.values()].reduce((sum, revisions) => sum + revisions, 0);
}
