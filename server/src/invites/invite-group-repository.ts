/** The groups that invitations name, until they are shared. */
import type { InviteGroup } from '@passwordbroker/core/contract/users/invites';
import type { Database, Transact } from '../db/database.ts';
import { preparedAmongRows } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';

type InviteGroupRow = Tables['invite_groups'];
type Reader = Database['read'] | Transact;

export async function insertInviteGroups(tx: Transact, inviteId: string, groups: readonly InviteGroup[]) {
  if (groups.length === 0) return;
  const rows = groups.map((group): InviteGroupRow => ({ invite_id: inviteId, ...group }));
  await tx.insertInto('invite_groups').values(rows).execute();
}

/** Sorted by group. */
export async function listInviteGroups(db: Reader, inviteIds: readonly string[]): Promise<InviteGroupRow[]> {
  if (inviteIds.length === 0) return [];
  return db
    .selectFrom('invite_groups')
    .selectAll()
    .where('invite_id', 'in', inviteIds)
    .orderBy('entry_group_id')
    .execute();
}

/** The groups among these, outside the trash, where the person is an admin. */
export async function listAdminGroupsAmong(
  db: Reader,
  userId: string,
  groupIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (groupIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('entry_groups')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entry_groups.entry_group_id')
    .select('entry_groups.entry_group_id')
    .where('entry_groups.entry_group_id', 'in', groupIds)
    .where('entry_groups.trashed_by', 'is', null)
    .where('group_members.user_id', '=', userId)
    .where('group_members.role', '=', 'admin')
    .execute();
  return new Set(rows.map(({ entry_group_id }) => entry_group_id));
}

/** Accepted invitations of this person with groups to share, newest first. Leaves out disabled and deleted accounts. */
export async function listJoined(db: Database, inviterId: string, limit: number) {
  return db.read
    .selectFrom('invites')
    .innerJoin('users', 'users.user_id', 'invites.accepted_by')
    .select(['invites.invite_id', 'users.user_id', 'users.name'])
    .where('invites.invited_by', '=', inviterId)
    .where('users.disabled_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('invite_groups')
          .select('invite_groups.invite_id')
          .whereRef('invite_groups.invite_id', '=', 'invites.invite_id'),
      ),
    )
    .orderBy('invites.invite_id', 'desc')
    .limit(limit)
    .execute();
}

/** The invitation that this account accepted, unless the inviter's account is gone or disabled. */
export async function findInviter(db: Database, userId: string) {
  return db.read
    .selectFrom('invites')
    .innerJoin('users', 'users.user_id', 'invites.invited_by')
    .select(['invites.invite_id', 'users.user_id', 'users.name'])
    .where('invites.accepted_by', '=', userId)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
}

/** Returns false if this person's accepted invitation has no groups. */
export async function deleteInviteGroups(
  tx: Transact,
  { inviteId, inviterId }: { readonly inviteId: string; readonly inviterId: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('invite_groups')
    .where('invite_id', 'in', (eb) =>
      eb
        .selectFrom('invites')
        .select('invites.invite_id')
        .where('invites.invite_id', '=', inviteId)
        .where('invites.invited_by', '=', inviterId)
        .where('invites.accepted_by', 'is not', null),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Call in the transaction that makes these people members of these groups. */
export const deleteSharedGroups = preparedAmongRows(
  (db, rows: readonly Pick<Tables['group_members'], 'entry_group_id' | 'user_id'>[]) =>
    db
      .deleteFrom('invite_groups')
      .where((eb) =>
        eb.or(
          rows.map(({ entry_group_id, user_id }) =>
            eb.and([
              eb('invite_groups.entry_group_id', '=', entry_group_id),
              eb(
                'invite_groups.invite_id',
                'in',
                eb.selectFrom('invites').select('invites.invite_id').where('invites.accepted_by', '=', user_id),
              ),
            ]),
          ),
        ),
      ),
);
