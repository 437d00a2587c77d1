import { findGroup } from '../http/auth/path-repository.ts';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { MEMBER_TEXTS } from '@passwordbroker/core/contract/groups/members';
import type { add } from '@passwordbroker/core/contract/groups/members';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { type Role, can } from '@passwordbroker/core/domain/policy';
import type { RosterMember } from '@passwordbroker/core/domain/rosters/roster';
import type { Transact } from '../db/database.ts';
import { type GroupRow } from '../groups/group-repository.ts';
import {
  type SentRoster,
  type Signer,
  type SignedRoster,
  findSigner,
  readSignedRoster,
  signerOrRefuse,
} from '../groups/signed-roster.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/operation.ts';
import { listPeople } from './present-repository.ts';

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
  /** Set if the person is unknown or has no keys. */
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

/** @throws AppError `validation` for people who are unknown or without keys */
export async function refuseStranger({ db }: Pick<Deps, 'db'>, targetId: string): Promise<void> {
  const stranger = strangerIn(await listPeople(db, [targetId]), targetId);
  if (stranger !== null) throw stranger;
}

function strangerIn(people: Awaited<ReturnType<typeof listPeople>>, targetId: string): AppError | null {
  const person = people.get(targetId);
  if (person === undefined) return refuse('target_user_id', TEXTS.unknown('target user id'));
  return person.fpr === null ? refuse('target_user_id', MEMBER_TEXTS.targetWithoutKeys) : null;
}

/** @throws AppError `not_found`, `forbidden` */
export async function groupInAct(tx: Transact, { actor }: Caller, groupId: string): Promise<GroupRow> {
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
