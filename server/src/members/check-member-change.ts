/** Checks changes of members: `judgeChanges` before the transaction, `planChanges` in it. */
import { findGroup } from '../http/auth/path-repository.ts';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { MEMBER_TEXTS, type add } from '@passwordbroker/core/contract/groups/members';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { type Role, can } from '@passwordbroker/core/domain/policy';
import type { RosterMember } from '@passwordbroker/core/domain/rosters/roster';
import type { Transact } from '../db/database.ts';
import type { GroupRow } from '../groups/group-repository.ts';
import {
  type SentRoster,
  type Signer,
  type SignedRoster,
  findSigner,
  readSignedRoster,
  signerOrRefuse,
  nextRosterRow,
  rosterConflict,
} from '../groups/signed-roster.ts';
import type { Deps, Caller } from '../http/context.ts';
import {
  listPeople,
  type PresentGroup,
  type PresentRecipient,
  listPresentGroups,
  listPresentRecipients,
  roleIn,
} from './present-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { GRANT_ALGORITHM } from '@passwordbroker/core/domain/groups/grants';
import type { Tables } from '../db/schema/tables.ts';
import { decodedWrap } from '../groups/group-key-checks.ts';

export interface MemberChange {
  readonly groupId: string;
  readonly targetId: string;
  readonly role: Role;
  /** Needed for a new member. */
  readonly recipientFingerprint: string | undefined;
  readonly gkVersion: number;
  /** The wrapped group secret of a new member, base64. */
  readonly wrapped: string | undefined;
  /** Absent if the members are not signed yet. */
  readonly roster: SentRoster | undefined;
}

/** A change after the checks that need no group. */
export interface JudgedChange {
  readonly change: MemberChange;
  /** Set if the person is unknown, has no keys, or is a service account and would be more than a member. */
  readonly stranger: AppError | null;
  /** @throws AppError `bad_sealed_value`, `conflict` */
  readonly roster: () => SignedRoster | null;
}

/** Checks people and signatures before the transaction. */
export async function judgeChanges(
  { db }: Pick<Deps, 'db'>,
  { actor }: Caller,
  changes: readonly MemberChange[],
): Promise<readonly JudgedChange[]> {
  const people = await listPeople(db, [...new Set(changes.map(({ targetId }) => targetId))]);
  const isSigned = changes.some(({ roster }) => roster !== undefined);
  const signer = isSigned ? await findSigner(db, actor.userId) : null;
  return Promise.all(
    changes.map(async (change) => {
      const roster = await signedRoster(signer, change);
      return { change, stranger: strangerIn(people, change), roster };
    }),
  );
}

async function signedRoster(signer: Signer | null, { roster, groupId }: MemberChange): Promise<JudgedChange['roster']> {
  if (roster === undefined) return () => null;
  try {
    const signed = await readSignedRoster(signerOrRefuse(signer), roster, groupId);
    return () => signed;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** @throws AppError `validation` for people who are unknown or without keys, and other roles of service accounts */
export async function refuseStranger(
  { db }: Pick<Deps, 'db'>,
  change: Pick<MemberChange, 'targetId' | 'role'>,
): Promise<void> {
  const stranger = strangerIn(await listPeople(db, [change.targetId]), change);
  if (stranger !== null) throw stranger;
}

function strangerIn(
  people: Awaited<ReturnType<typeof listPeople>>,
  { targetId, role }: Pick<MemberChange, 'targetId' | 'role'>,
): AppError | null {
  const person = people.get(targetId);
  if (person === undefined) return refuse('target_user_id', TEXTS.unknown('target user id'));
  if (person.isService && role !== 'member') return refuse('role', SERVER_TEXTS.serviceRole);
  return person.fpr === null ? refuse('target_user_id', MEMBER_TEXTS.targetWithoutKeys) : null;
}

/** @throws AppError `not_found`, `forbidden` */
export async function groupInTransaction(tx: Transact, { actor }: Caller, groupId: string): Promise<GroupRow> {
  const group = await findGroup({ read: tx }, groupId, actor.userId);
  if (group === undefined) throw new AppError('not_found');
  if (!can(group.role, 'members.write')) throw new AppError('forbidden');
  return group;
}

/** Returns the present role or null. @throws AppError `conflict` if it cannot change so */
export function roleBefore(
  group: Pick<GroupRow, 'roster_seq'>,
  members: readonly RosterMember[],
  { actor }: Caller,
  { targetId, role }: Pick<MemberChange, 'targetId' | 'role'>,
): Role | null {
  const before = members.find(({ userId }) => userId === targetId)?.role ?? null;
  if (before === role) throw new AppError('conflict', { message: MEMBER_TEXTS.sameRole });
  if (before !== 'admin') return before;
  if (members.filter((member) => member.role === 'admin').length === 1) {
    throw new AppError('conflict', { message: MEMBER_TEXTS.lastAdmin });
  }
  // Only admins may sign the roster.
  if (targetId === actor.userId && group.roster_seq !== null) {
    throw new AppError('conflict', { message: MEMBER_TEXTS.ownRole });
  }
  return before;
}

export function sealedChange(groupId: string, body: BodyOf<typeof add>): MemberChange {
  const { roster_base64, roster_sig_base64, roster_proof_base64, roster_proof_prev_base64 } = body;
  const proofs = { roster_proof_base64, roster_proof_prev_base64 };
  const isSigned = roster_base64 !== undefined && roster_sig_base64 !== undefined;
  return {
    groupId,
    targetId: body.target_user_id,
    role: body.role,
    recipientFingerprint: body.recipient_fpr,
    gkVersion: body.gk_version,
    wrapped: body.encrypted_aes_password,
    roster: isSigned ? { roster_base64, roster_sig_base64, ...proofs } : undefined,
  };
}

export interface PlannedChange {
  readonly change: MemberChange;
  /** Null for a new member. */
  readonly before: Role | null;
  readonly newRows: { readonly member: Tables['group_members']; readonly grant: Tables['group_grants'] } | null;
  /** Null if the members are not signed yet. `formerFingerprint`: signer of the previous roster. */
  readonly rosterRow: { readonly row: Tables['group_rosters']; readonly formerFingerprint: string } | null;
  readonly now: number;
}

export type PlanResult = PlannedChange | { readonly problem: unknown };

/** @throws the stored problem */
export function plannedOrRefuse(plan: PlanResult): PlannedChange {
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
): Promise<readonly PlanResult[]> {
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
