/** Adding a person to a group, and giving a member another role: one grant, the next roster, in one act (decision G5, `api.md` §3.7). */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { MEMBER_TEXTS } from '@passwordbroker/core/contract/members';
import type { add } from '@passwordbroker/core/contract/members';
import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { GRANT_ALGORITHM } from '@passwordbroker/core/domain/grants';
import { type Role, can } from '@passwordbroker/core/domain/policy';
import type { RosterMember, RosterWire } from '@passwordbroker/core/domain/roster';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import { asGroupUser } from '../entry-groups/group-answers.ts';
import { type Recipient, decodedWrap } from '../entry-groups/grant-checks.ts';
import { type GroupRow, findGroupInAct } from '../entry-groups/group-repository.ts';
import { findMember, insertMembers, listRecipients } from '../entry-groups/member-repository.ts';
import {
  type Signer,
  type SignedRoster,
  findSigner,
  nextRosterRow,
  readSignedRoster,
  rosterConflict,
  signerOrRefuse,
} from '../entry-groups/signed-roster.ts';
import { type Answer, answer } from '../http/answer.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { appendRoster, insertGrants, updateRole } from './change-repository.ts';
import { findCommitment, findPresentRoster, isDisabled, listPeople, listPresentMembers } from './present-repository.ts';

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

/** A change with what can be said of it without the group. */
export interface JudgedChange {
  readonly change: MemberChange;
  /** The person is not there, or has no keys. */
  readonly stranger: AppError | null;
  /** Of the caller's present key. @throws AppError `bad_sealed_value`, `conflict` */
  readonly roster: () => SignedRoster | null;
}

/**
 * @returns 201 with a new member, 200 with one whose role changed
 * @throws AppError `validation` for a person who is not there, has no keys or is disabled; `conflict` for the same role and for the last admin;
 * `key_version_conflict`, `roster_conflict`, `rewrap_set_mismatch`, `bad_sealed_value`
 */
export async function changeMember(deps: Deps, caller: Caller, change: MemberChange): Promise<Answer<GroupUser>> {
  const [judged] = await judgeChanges(deps, caller, [change]);
  if (judged === undefined) throw new AppError('internal');
  if (judged.stranger !== null) throw judged.stranger;
  const { groupId, targetId } = change;
  const former = await deps.db.transact((tx) => changeInAct(tx, deps, caller, judged, recipientsIn(tx)));
  const member = await findMember(deps.db, groupId, targetId);
  if (member === undefined) throw new AppError('not_found');
  return answer(former === null ? 201 : 200, asGroupUser(member));
}

/** Everything that needs no group, of all of them at once: who the people are, and whether the lists are signed as they have to be. */
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
      return { change, stranger: strangerIn(people, change.targetId), roster };
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

/** @returns the role that the person had before, null for none */
export async function changeInAct(
  tx: Transact,
  deps: Pick<Deps, 'clock' | 'newId'>,
  caller: Caller,
  { change, stranger, roster: signed }: JudgedChange,
  recipientOf: FindRecipient,
): Promise<Role | null> {
  const { groupId, targetId, role } = change;
  const now = deps.clock.now();
  const group = await groupInAct(tx, caller, groupId);
  if (stranger !== null) throw stranger;
  const members = await listPresentMembers(tx, groupId);
  const before = refuseRole(group, members, caller, change);
  // No list can be signed for what is refused until here, so this is told before the list is looked at.
  const roster = signed();
  const recipient = await recipientOf(targetId);
  refuseOtherKeys(group, recipient, change, roster);
  if (before === null) await admit(tx, deps, { caller, change, recipient, now });
  else await updateRole(tx, { groupId, userId: targetId, role, now });
  if (roster !== null) {
    const others = members.filter(({ userId }) => userId !== targetId);
    const changed = { userId: targetId, role, fingerprint: recipient?.fingerprint ?? '' };
    await sign(tx, group, { roster, members: [...others, changed], now });
  }
  const details = before === null ? { user_id: targetId, role } : { user_id: targetId, role, from: before };
  const event_type = before === null ? 'role_granted' : 'role_changed';
  await recordEvent(tx, deps, { event_type, ...caller, target_type: 'entry_group', target_id: groupId, details });
  return before;
}

/** @throws AppError `validation` for a person who is not there, or has no keys yet */
export async function refuseStranger({ db }: Pick<Deps, 'db'>, targetId: string): Promise<void> {
  const stranger = strangerIn(await listPeople(db, [targetId]), targetId);
  if (stranger !== null) throw stranger;
}

function strangerIn(people: Awaited<ReturnType<typeof listPeople>>, targetId: string): AppError | null {
  const person = people.get(targetId);
  if (person === undefined) return refuse('target_user_id', TEXTS.unknown('target user id'));
  return person.fpr === null ? refuse('target_user_id', MEMBER_TEXTS.targetWithoutKeys) : null;
}

/** Somebody's present key inside an act, with whether his account is disabled. Several acts of one transaction may ask for the same. */
type FindRecipient = (userId: string) => Promise<(Recipient & { readonly isDisabled: boolean }) | undefined>;

export function recipientsIn(tx: Transact): FindRecipient {
  const known = new Map<string, ReturnType<FindRecipient>>();
  const find: FindRecipient = async (userId) => {
    const recipient = (await listRecipients(tx, [userId])).get(userId);
    return recipient && { ...recipient, isDisabled: await isDisabled(tx, userId) };
  };
  return (userId) => {
    const one = known.get(userId) ?? find(userId);
    known.set(userId, one);
    return one;
  };
}

/** The living group, where the caller may change members. @throws AppError `not_found`, `forbidden` */
export async function groupInAct(tx: Transact, { actor }: Caller, groupId: string): Promise<GroupRow> {
  const group = await findGroupInAct(tx, groupId, actor.userId);
  if (group === undefined) throw new AppError('not_found');
  if (!can(group.role, 'members.write')) throw new AppError('forbidden');
  return group;
}

/** @returns the role that the person has now, null for none. @throws AppError `conflict` when it cannot become the wanted one */
export function refuseRole(
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
  readonly recipient: Awaited<ReturnType<FindRecipient>>;
  readonly now: number;
}

async function admit(tx: Transact, deps: Pick<Deps, 'newId'>, { caller, change, recipient, now }: Admission) {
  const { groupId, targetId, role, gkVersion } = change;
  if (recipient?.isDisabled === true) throw refuse('target_user_id', MEMBER_TEXTS.targetDisabled);
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

interface Signing {
  readonly roster: SignedRoster;
  /** After the change. */
  readonly members: readonly RosterMember[];
  readonly now: number;
}

/** The roster has to say what the members are after the change. */
async function sign(tx: Transact, group: GroupRow, { roster, members, now }: Signing): Promise<void> {
  const { entry_group_id: groupId, gk_version: gkVersion } = group;
  const present = await findPresentRoster(tx, groupId);
  const after = { gkVersion, gkCommit: await findCommitment(tx, groupId, gkVersion), members };
  const isAppended = await appendRoster(tx, nextRosterRow(roster, present, after, now), present);
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
