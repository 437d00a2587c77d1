import { MEMBER_TEXTS } from '@passwordbroker/core/contract/groups/members';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { GRANT_ALGORITHM } from '@passwordbroker/core/domain/groups/grants';
import { type Role, can } from '@passwordbroker/core/domain/policy';
import type { RosterMember } from '@passwordbroker/core/domain/rosters/roster';
import type { Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import { decodedWrap } from '../groups/group-key-checks.ts';
import { type SignedRoster, nextRosterRow, rosterConflict } from '../groups/signed-roster.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/operation.ts';
import { type JudgedChange, type MemberChange, roleBefore } from './judged-change.ts';
import {
  type PresentGroup,
  type PresentRecipient,
  listPresentGroups,
  listPresentRecipients,
  roleIn,
} from './present-repository.ts';

export interface PlannedChange {
  readonly change: MemberChange;
  /** Null for a new member. */
  readonly before: Role | null;
  readonly newRows: { readonly member: Tables['group_members']; readonly grant: Tables['group_grants'] } | null;
  /** Null if the members are not signed yet. `formerFingerprint`: signer of the previous roster. */
  readonly rosterRow: { readonly row: Tables['group_rosters']; readonly formerFingerprint: string } | null;
  readonly now: number;
}

export type Plan = PlannedChange | { readonly problem: unknown };

/** @throws the stored problem */
export function plannedOrRefuse(plan: Plan): PlannedChange {
  if ('problem' in plan) throw plan.problem;
  return plan;
}

type Parts = Pick<Deps, 'clock' | 'newId'>;

/** Checks changes of different groups in the transaction. */
export async function planChanges(
  tx: Transact,
  deps: Parts,
  caller: Caller,
  judged: readonly JudgedChange[],
): Promise<readonly Plan[]> {
  const groupIds = judged.map(({ change }) => change.groupId);
  const [groups, recipients] = [
    await listPresentGroups(tx, groupIds),
    await listPresentRecipients(tx, [...new Set(judged.map(({ change }) => change.targetId))]),
  ];
  return judged.map((one) => {
    const { groupId, targetId } = one.change;
    try {
      return plan(deps, caller, one, groups.get(groupId), recipients.get(targetId));
    } catch (problem) {
      return { problem };
    }
  });
}

/** Permissions come first, so that others learn nothing about the group. */
function plan(
  deps: Parts,
  caller: Caller,
  { change, stranger, roster: signed }: JudgedChange,
  group: PresentGroup | undefined,
  recipient: PresentRecipient | undefined,
): PlannedChange {
  const now = deps.clock.now();
  if (group === undefined) throw new AppError('not_found');
  if (!can(roleIn(group, caller.actor.userId), 'members.write')) throw new AppError('forbidden');
  if (stranger !== null) throw stranger;
  const before = roleBefore({ roster_seq: group.rosterSeq }, group.members, caller, change);
  // Roster errors come after the others.
  const roster = signed();
  refuseOtherKeys(group, recipient, change, roster);
  const newRows = before === null ? newRowsOf(deps, { caller, change, recipient, now }) : null;
  const after = afterChange(group, change, recipient);
  const rosterRow = roster === null ? null : rosterRowOf(group, roster, after, now);
  return { change, before, newRows, rosterRow, now };
}

function refuseOtherKeys(
  group: PresentGroup,
  recipient: PresentRecipient | undefined,
  change: MemberChange,
  roster: SignedRoster | null,
): void {
  if (group.gkVersion !== change.gkVersion) {
    throw new AppError('key_version_conflict', { details: { current_gk_version: group.gkVersion } });
  }
  const isSame = change.recipientFingerprint === undefined || recipient?.fingerprint === change.recipientFingerprint;
  if (!isSame) throw new AppError('rewrap_set_mismatch');
  if ((group.rosterSeq === null) !== (roster === null)) throw rosterConflict(group.rosterSeq);
}

interface Admitting {
  readonly caller: Caller;
  readonly change: MemberChange;
  readonly recipient: PresentRecipient | undefined;
  readonly now: number;
}

function newRowsOf({ newId }: Parts, { caller, change, recipient, now }: Admitting): PlannedChange['newRows'] {
  const { groupId, targetId, role, gkVersion } = change;
  if (recipient?.isDisabled === true) throw refuse('target_user_id', MEMBER_TEXTS.targetDisabled);
  const wrapped = needed(change.wrapped, 'encrypted_aes_password');
  const recipient_fpr = needed(change.recipientFingerprint, 'recipient_fpr');
  const times = { created_at: now, updated_at: now };
  return {
    member: { id: newId(), entry_group_id: groupId, user_id: targetId, role, ...times },
    grant: {
      entry_group_id: groupId,
      gk_version: gkVersion,
      user_id: targetId,
      alg: GRANT_ALGORITHM,
      wrapped: decodedWrap(wrapped, recipient?.bits ?? 0, 'encrypted_aes_password'),
      role,
      recipient_fpr,
      granted_by: caller.actor.userId,
      created_at: now,
    },
  };
}

function needed(text: string | undefined, member: string): string {
  if (text === undefined) throw refuse(member, TEXTS.required(labelOf([member])));
  return text;
}

function afterChange(
  { members }: PresentGroup,
  { targetId, role }: MemberChange,
  recipient: PresentRecipient | undefined,
): readonly RosterMember[] {
  const others = members.filter(({ userId }) => userId !== targetId);
  return [...others, { userId: targetId, role, fingerprint: recipient?.fingerprint ?? '' }];
}

function rosterRowOf(
  { gkVersion, gkCommit, roster: present }: PresentGroup,
  roster: SignedRoster,
  members: readonly RosterMember[],
  now: number,
): PlannedChange['rosterRow'] {
  const row = nextRosterRow(roster, present, { gkVersion, gkCommit, members }, now);
  return { row, formerFingerprint: present?.signerFingerprint ?? row.signer_fpr };
}
