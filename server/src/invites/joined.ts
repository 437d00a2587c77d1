/** The groups that an inviter has not shared yet with people who accepted. Sharing itself is in `members/`: it needs keys. */
import type { Joined } from '@passwordbroker/core/contract/users/joined';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Actor, Deps } from '../http/context.ts';
import {
  deleteInviteGroups,
  findInviter,
  listAdminGroupsAmong,
  listInviteGroups,
  listJoined,
} from './invite-group-repository.ts';

/** Newest first, at most one page. Groups that the caller may not share now are left out and counted. */
export async function joinedOf(deps: Deps, actor: Actor): Promise<{ joined: Joined[] }> {
  const guests = await listJoined(deps.db, actor.userId, LIMITS.pageMax);
  const named = await listInviteGroups(
    deps.db.read,
    guests.map(({ invite_id }) => invite_id),
  );
  const mine = await adminGroupsAmong(deps, actor.userId, named);
  return {
    joined: guests.map(({ invite_id, user_id, name }) => {
      const ofGuest = named.filter((group) => group.invite_id === invite_id);
      const groups = ofGuest.filter(({ entry_group_id }) => mine.has(entry_group_id));
      return { invite_id, user: { user_id, name }, groups, left_out: ofGuest.length - groups.length };
    }),
  };
}

/** @throws AppError `not_found` unless it is an accepted invitation of the caller with groups */
export async function forgetGroupsOf({ db }: Deps, actor: Actor, inviteId: string): Promise<undefined> {
  const isDone = await db.transact((tx) => deleteInviteGroups(tx, { inviteId, inviterId: actor.userId }));
  if (!isDone) throw new AppError('not_found');
  return undefined;
}

/** Counts only groups that the inviter may share now. */
export async function inviterOfCaller(deps: Deps, { userId }: Actor) {
  const found = await findInviter(deps.db, userId);
  if (found === undefined) return { inviter: null, waiting: 0 };
  const named = await listInviteGroups(deps.db.read, [found.invite_id]);
  const shareable = await adminGroupsAmong(deps, found.user_id, named);
  return { inviter: { user_id: found.user_id, name: found.name }, waiting: shareable.size };
}

const adminGroupsAmong = (
  { db }: Pick<Deps, 'db'>,
  userId: string,
  named: readonly { readonly entry_group_id: string }[],
) => listAdminGroupsAmong(db.read, userId, [...new Set(named.map(({ entry_group_id }) => entry_group_id))]);
