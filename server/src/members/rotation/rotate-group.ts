import type {
  rotate,
  pending as pendingCall,
  rewraps as rewrapsCall,
  signRoster,
} from '@passwordbroker/core/contract/groups/members';
import type { BodyOf, QueryOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact, Database } from '../../db/database.ts';
import { checkGrants, decodedCommitment } from '../../groups/group-key-checks.ts';
import { type GroupRow, listRecipients } from '../../groups/group-repository.ts';
import { hashOfRow, nextRosterRow, readOwnRoster, rosterConflict } from '../../groups/signed-roster.ts';
import type { Deps, Caller } from '../../http/context.ts';
import { appendKey, appendRoster } from '../change-repository.ts';
import { findPresentRoster, listPresentMembers, listPresentGroups } from '../present-repository.ts';
import {
  countFormer,
  deleteFormerGrants,
  type Behind,
  type Rewrap,
  listFormer,
  listVersions,
  writeRewraps,
} from './rotation-repository.ts';
import type { Wrap, Roster } from '@passwordbroker/core/contract/entities';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { readWraps } from '../../entries/move-entries.ts';
import { findGroup, type GroupInPath } from '../../http/auth/path-repository.ts';
import { asRoster } from '../../groups/group-answers.ts';
import { listRosters } from '../../groups/key-repository.ts';

export interface RotatedGroup {
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
): Promise<RotatedGroup> {
  const { actor } = caller;
  const version = sent.base_gk_version + 1;
  if (sent.gk_version !== version) throw refuse('gk_version', TEXTS.between(version, version)('gk version'));
  const commit = decodedCommitment(sent);
  const roster = await readOwnRoster(deps.db, actor, sent, groupId);
  return deps.db.transact(async (tx) => {
    const group = await rotatableInTransaction(tx, caller, groupId);
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
async function rotatableInTransaction(tx: Transact, { actor }: Caller, groupId: string): Promise<GroupRow> {
  const group = await findGroup({ read: tx }, groupId, actor.userId);
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
  const { gk_version } = await rotatableInTransaction(tx, caller, groupId);
  return new AppError('key_version_conflict', { details: { current_gk_version: gk_version } });
}

/** Deletes grants of unused versions. Returns the number of revisions under older ones. */
async function forgetFormer(tx: Transact, groupId: string, version: number): Promise<number> {
  const former = await countFormer(tx, groupId, version);
  await deleteFormerGrants(tx, groupId, { version, inUse: [...former.keys()] });
  return [...former.values()].reduce((sum, revisions) => sum + revisions, 0);
}

/** @throws AppError `validation` for one without the other */
export function behindOf({ after_field_id, after_rev }: QueryOf<typeof pendingCall>): Behind | undefined {
  if (after_field_id === undefined && after_rev === undefined) return undefined;
  if (after_field_id === undefined) throw refuse('after_field_id', TEXTS.required('after field id'));
  if (after_rev === undefined) throw refuse('after_rev', TEXTS.required('after rev'));
  return { fieldId: after_field_id, rev: after_rev };
}

export async function pendingRewraps(
  db: Database,
  group: Pick<GroupInPath, 'entry_group_id' | 'gk_version'>,
  {
    limit = LIMITS.rotationBatch,
    behind,
  }: { readonly limit?: number | undefined; readonly behind?: Behind | undefined },
): Promise<{ gk_version: number; pending: number; rows: Wrap[] }> {
  const { entry_group_id: groupId, gk_version: version } = group;
  const [former, rows] = await Promise.all([
    countFormer(db.read, groupId, version),
    listFormer(db, { groupId, version, limit, behind }),
  ]);
  return {
    gk_version: version,
    pending: [...former.values()].reduce((sum, revisions) => sum + revisions, 0),
    rows: rows.map(({ cek_wrapped, ...row }) => ({ ...row, cek_wrapped_base64: cek_wrapped.toString('base64') })),
  };
}

/**
 * All or nothing, repeatable (docs/spec/crypto.md §12, phase 2): skips revisions that are rewrapped already.
 * @throws AppError `bad_sealed_value`, `validation`, `key_version_conflict`; `rewrap_set_mismatch` for
 * another group's revision
 */
export async function rewrapBatch(
  deps: Deps,
  caller: Caller,
  groupId: string,
  sent: BodyOf<typeof rewrapsCall>,
): Promise<{ gk_version: number; pending: number; written: number }> {
  const { gk_version } = sent;
  const rewraps = await readRewraps(sent);
  return deps.db.transact(async (tx) => {
    refuseOtherVersion(await rotatableInTransaction(tx, caller, groupId), gk_version);
    const fieldIds = [...new Set(rewraps.map(({ field_id }) => field_id))];
    const known = new Set((await listVersions(tx, groupId, fieldIds)).map(keyOf));
    if (!rewraps.every((row) => known.has(keyOf(row)))) throw new AppError('rewrap_set_mismatch');
    const written = await writeRewraps(tx, rewraps, gk_version);
    return { gk_version, pending: await forgetFormer(tx, groupId, gk_version), written };
  });
}

const keyOf = ({ field_id, rev }: { readonly field_id: string; readonly rev: number }) => `${field_id} ${rev}`;

async function readRewraps({ gk_version, rewraps }: BodyOf<typeof rewrapsCall>): Promise<Rewrap[]> {
  const wrongAt = rewraps.findIndex(({ from_gk_version }) => from_gk_version >= gk_version);
  if (wrongAt !== -1) {
    throw refuse(`rewraps.${wrongAt}.from_gk_version`, TEXTS.between(1, gk_version - 1)('from gk version'));
  }
  if (new Set(rewraps.map(keyOf)).size !== rewraps.length) throw new AppError('rewrap_set_mismatch');
  return (await readWraps(rewraps)).map((wrap, at) => ({
    ...wrap,
    from_gk_version: rewraps[at]?.from_gk_version ?? 0,
  }));
}

/**
 * Adds a key proof: the next roster has the same members and key. A rotation signs groups without one.
 * @throws AppError `bad_sealed_value`, `roster_conflict`
 */
export async function signMembers(
  deps: Deps,
  caller: Caller,
  groupId: string,
  sent: BodyOf<typeof signRoster>,
): Promise<Roster> {
  const signed = await readOwnRoster(deps.db, caller.actor, sent, groupId);
  const row = await deps.db.transact(async (tx) => {
    await rotatableInTransaction(tx, caller, groupId);
    const group = (await listPresentGroups(tx, [groupId])).get(groupId);
    if (group?.roster === undefined || group.roster === null) throw rosterConflict(null);
    const next = nextRosterRow(signed, group.roster, group, deps.clock.now());
    if (!(await appendRoster(tx, next, group.roster))) throw rosterConflict(group.roster.seq);
    await recordEvent(tx, deps, {
      event_type: 'roster_signed',
      ...caller,
      target_type: 'entry_group',
      target_id: groupId,
      details: { seq: next.seq, roster_hash: hashOfRow(next) },
    });
    return next;
  });
  const stored = (await listRosters(deps.db, groupId, row.seq)).find(({ seq }) => seq === row.seq);
  if (stored === undefined) throw new AppError('not_found');
  return asRoster(stored);
}
