/** Adding a person to a group, and giving a member another role: one grant, the next roster, in one act (decision G5, `api.md` §3.7). */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { MEMBER_TEXTS } from '@passwordbroker/core/contract/members';
import type { add } from '@passwordbroker/core/contract/members';
import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { GRANT_ALGORITHM } from '@passwordbroker/core/domain/grants';
import { type Role, can } from '@passwordbroker/core/domain/policy';
import type { RosterWire } from '@passwordbroker/core/domain/roster';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import { asGroupUser } from '../entry-groups/group-answers.ts';
import { type Recipient, decodedWrap } from '../entry-groups/grant-checks.ts';
import { type GroupRow, findGroupInAct } from '../entry-groups/group-repository.ts';
import { findMember, insertMembers, listRecipients } from '../entry-groups/member-repository.ts';
import { type SignedRoster, nextRosterRow, readOwnRoster, rosterConflict } from '../entry-groups/signed-roster.ts';
import { type Answer, answer } from '../http/answer.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { appendRoster, insertGrants, updateRole } from './change-repository.ts';
import {
  countAdmins,
  findCommitment,
  findPerson,
  findPresentRoster,
  findRole,
  isDisabled,
  listPresentMembers,
} from './present-repository.ts';

export interface MemberChange {
  readonly groupId: string;
  readonly targetId: string;
  readonly role: Role;
  /** Needed for a new member. */
  readonly recipientFingerprint: string | undefined;
  readonly gkVersion: number;
  /** The group secret wrapped for a new member, base64; a member who gets another role keeps the grant. */
  readonly wrapped: string | undefined;
  /** Absent for a group that the server made and nobody has signed for yet. */
  readonly roster: RosterWire | undefined;
}

/**
 * @returns 201 with a new member, 200 with one whose role changed
 * @throws AppError `validation` for a person who is not there, has no keys or is disabled; `conflict` for the same role and for the last admin;
 * `key_version_conflict`, `roster_conflict`, `rewrap_set_mismatch`, `bad_sealed_value`
 */
export async function changeMember(deps: Deps, caller: Caller, change: MemberChange): Promise<Answer<GroupUser>> {
  const { groupId, targetId, role } = change;
  await refuseStranger(deps, targetId);
  // No roster can be signed for what is refused here, so this is told before the roster is looked at.
  if (targetId === caller.actor.userId) {
    await deps.db.transact(async (tx) => refuseRole(tx, await groupInAct(tx, caller, groupId), caller, change));
  }
  const roster =
    change.roster === undefined ? null : await readOwnRoster(deps.db, caller.actor, change.roster, groupId);
  const former = await deps.db.transact(async (tx) => {
    const now = deps.clock.now();
    const group = await groupInAct(tx, caller, groupId);
    const before = await refuseRole(tx, group, caller, change);
    const recipient = (await listRecipients(tx, [targetId])).get(targetId);
    refuseOtherKeys(group, recipient, change, roster);
    if (before === null) await admit(tx, deps, { caller, change, recipient, now });
    else await updateRole(tx, { groupId, userId: targetId, role, now });
    if (roster !== null) await sign(tx, group, roster, now);
    const details = before === null ? { user_id: targetId, role } : { user_id: targetId, role, from: before };
    const event_type = before === null ? 'role_granted' : 'role_changed';
    const target = { target_type: 'entry_group', target_id: groupId };
    await recordEvent(tx, deps, { event_type, ...caller, ...target, details });
    return before;
  });
  const member = await findMember(deps.db, groupId, targetId);
  if (member === undefined) throw new AppError('not_found');
  return answer(former === null ? 201 : 200, asGroupUser(member));
}

/** @throws AppError `validation` for a person who is not there, or has no keys yet */
export async function refuseStranger(deps: Pick<Deps, 'db'>, targetId: string): Promise<void> {
  const person = await findPerson(deps.db, targetId);
  if (person === undefined) throw refuse('target_user_id', TEXTS.unknown('target user id'));
  if (person.fpr === null) throw refuse('target_user_id', MEMBER_TEXTS.targetWithoutKeys);
}

/** The living group, where the caller may change members. @throws AppError `not_found`, `forbidden` */
export async function groupInAct(tx: Transact, { actor }: Caller, groupId: string): Promise<GroupRow> {
  const group = await findGroupInAct(tx, groupId, actor.userId);
  if (group === undefined) throw new AppError('not_found');
  if (!can(group.role, 'members.write')) throw new AppError('forbidden');
  return group;
}

/** @returns the role that the person has now, null for none. @throws AppError `conflict` when it cannot become the wanted one */
export async function refuseRole(
  tx: Transact,
  group: Pick<GroupRow, 'entry_group_id' | 'roster_seq'>,
  { actor }: Caller,
  { targetId, role }: Pick<MemberChange, 'targetId' | 'role'>,
): Promise<Role | null> {
  const before = await findRole(tx, group.entry_group_id, targetId);
  if (before === role) throw new AppError('conflict', { message: MEMBER_TEXTS.sameRole });
  if (before !== 'admin') return before;
  if ((await countAdmins(tx, group.entry_group_id)) === 1) {
    throw new AppError('conflict', { message: MEMBER_TEXTS.lastAdmin });
  }
  // A roster is signed by an admin who is one in it.
  if (targetId === actor.userId && group.roster_seq !== null) {
    throw new AppError('conflict', { message: MEMBER_TEXTS.ownRole });
  }
  return before;
}

function refuseOtherKeys(
  group: GroupRow,
  recipient: Recipient | undefined,
  change: MemberChange,
  roster: SignedRoster | null,
): void {
  if (group.gk_version !== change.gkVersion) {
    throw new AppError('key_version_conflict', { details: { current_gk_version: group.gk_version } });
  }
  const isSame = change.recipientFingerprint === undefined || recipient?.fingerprint === change.recipientFingerprint;
  if (!isSame) throw new AppError('rewrap_set_mismatch');
  if ((group.roster_seq === null) !== (roster === null)) throw rosterConflict(group.roster_seq);
}

function needed(text: string | undefined, member: string): string {
  if (text === undefined) throw refuse(member, TEXTS.required(labelOf([member])));
  return text;
}

interface Admission {
  readonly caller: Caller;
  readonly change: MemberChange;
  readonly recipient: Recipient | undefined;
  readonly now: number;
}

async function admit(tx: Transact, deps: Pick<Deps, 'newId'>, { caller, change, recipient, now }: Admission) {
  const { groupId, targetId, role, gkVersion } = change;
  if (await isDisabled(tx, targetId)) throw refuse('target_user_id', MEMBER_TEXTS.targetDisabled);
  const wrapped = needed(change.wrapped, 'encrypted_aes_password');
  const recipient_fpr = needed(change.recipientFingerprint, 'recipient_fpr');
  const times = { created_at: now, updated_at: now };
  await insertMembers(tx, [{ id: deps.newId(), entry_group_id: groupId, user_id: targetId, role, ...times }]);
  const grant = {
    entry_group_id: groupId,
    gk_version: gkVersion,
    user_id: targetId,
    alg: GRANT_ALGORITHM,
    wrapped: decodedWrap(wrapped, recipient?.bits ?? 0, 'encrypted_aes_password'),
    role,
    recipient_fpr,
    granted_by: caller.actor.userId,
    created_at: now,
  };
  await insertGrants(tx, [grant]);
}

/** The roster has to say what the members are now: it is judged after the change, in the same act. */
async function sign(tx: Transact, group: GroupRow, roster: SignedRoster, now: number): Promise<void> {
  const { entry_group_id: groupId, gk_version: gkVersion } = group;
  const present = await findPresentRoster(tx, groupId);
  const after = {
    gkVersion,
    gkCommit: await findCommitment(tx, groupId, gkVersion),
    members: await listPresentMembers(tx, groupId),
  };
  const isAppended = await appendRoster(tx, nextRosterRow(roster, present, after, now));
  if (!isAppended) throw rosterConflict(present?.seq ?? null);
}

/** The sealed body as a change. */
export function sealedChange(groupId: string, body: BodyOf<typeof add>): MemberChange {
  const { roster_base64, roster_sig_base64 } = body;
  const isSigned = roster_base64 !== undefined && roster_sig_base64 !== undefined;
  return {
    groupId,
    targetId: body.target_user_id,
    role: body.role,
    recipientFingerprint: body.recipient_fpr,
    gkVersion: body.gk_version,
    wrapped: body.encrypted_aes_password,
    roster: isSigned ? { roster_base64, roster_sig_base64 } : undefined,
  };
}
