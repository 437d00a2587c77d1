/** What changes of members come to, judged by the groups as they are inside the act, before anything of it is written. */
import { MEMBER_TEXTS } from '@passwordbroker/core/contract/groups/members';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { GRANT_ALGORITHM } from '@passwordbroker/core/domain/groups/grants';
import { type Role, can } from '@passwordbroker/core/domain/policy';
import type { RosterMember } from '@passwordbroker/core/domain/rosters/roster';
import type { Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import { decodedWrap } from '../groups/create/grant-checks.ts';
import { type SignedRoster, nextRosterRow, rosterConflict } from '../groups/signed-roster.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { type JudgedChange, type MemberChange, refuseRole } from './judged-change.ts';
import {
  type PresentGroup,
  type PresentRecipient,
  listPresentGroups,
  listPresentRecipients,
  roleIn,
} from './present-groups.ts';

/** All that is written of one change. */
export interface PlannedChange {
  readonly change: MemberChange;
  /** The role that the person had before; null: he gets in. */
  readonly before: Role | null;
  readonly admission: { readonly member: Tables['group_members']; readonly grant: Tables['group_grants'] } | null;
  /** null where nobody has signed the members. `formerFingerprint`: under which key the list before is signed. */
  readonly signing: { readonly row: Tables['group_rosters']; readonly formerFingerprint: string } | null;
  readonly now: number;
}

export type Plan = PlannedChange | { readonly problem: unknown };

/** @throws what it was refused with */
export function plannedOrRefuse(plan: Plan): PlannedChange {
  if ('problem' in plan) throw plan.problem;
  return plan;
}

type Parts = Pick<Deps, 'clock' | 'newId'>;

/** Of different groups: each is judged as if it were alone. */
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

/** The order of these questions is that of the answers: whoever may not act in a group learns nothing else. */
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
  const before = refuseRole({ roster_seq: group.rosterSeq }, group.members, caller, change);
  // No list can be signed for what is refused until here, so this is told before the list is looked at.
  const roster = signed();
  refuseOtherKeys(group, recipient, change, roster);
  const admission = before === null ? admissionOf(deps, { caller, change, recipient, now }) : null;
  const after = afterChange(group, change, recipient);
  const signing = roster === null ? null : signingOf(group, roster, after, now);
  return { change, before, admission, signing, now };
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

interface Admission {
  readonly caller: Caller;
  readonly change: MemberChange;
  readonly recipient: PresentRecipient | undefined;
  readonly now: number;
}

function admissionOf({ newId }: Parts, { caller, change, recipient, now }: Admission): PlannedChange['admission'] {
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

/** The roster has to say what the members are after the change. */
function signingOf(
  { gkVersion, gkCommit, roster: present }: PresentGroup,
  roster: SignedRoster,
  members: readonly RosterMember[],
  now: number,
): PlannedChange['signing'] {
  const row = nextRosterRow(roster, present, { gkVersion, gkCommit, members }, now);
  return { row, formerFingerprint: present?.signerFingerprint ?? row.signer_fpr };
}
