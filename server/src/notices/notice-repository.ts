import type { Database, Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import { preparedAmong } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';

type Reader = Database['read'] | Transact;
export type NoticeRow = Tables['notices'];

export async function listNotices(
  read: Reader,
  userId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<NoticeRow[]> {
  const own = read.selectFrom('notices').selectAll().where('user_id', '=', userId);
  return (before === undefined ? own : own.where('notice_id', '<', before))
    .orderBy('notice_id', 'desc')
    .limit(limit)
    .execute();
}

export async function countUnread(read: Reader, userId: string): Promise<number> {
  const row = await read
    .selectFrom('notices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export async function setRead(
  tx: Transact,
  userId: string,
  { upTo, isAlone, now }: { readonly upTo: string; readonly isAlone: boolean; readonly now: number },
): Promise<void> {
  await tx
    .updateTable('notices')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('notice_id', isAlone ? '=' : '<=', upTo)
    .where('read_at', 'is', null)
    .execute();
}

export const listSettings = preparedAmong((db, userIds) =>
  db.selectFrom('notice_settings').selectAll().where('user_id', 'in', userIds),
);

/** Writes the given columns of the person's settings. */
export async function storeSettings(
  tx: Transact,
  userId: string,
  change: Partial<Omit<Tables['notice_settings'], 'user_id'>>,
): Promise<void> {
  const none = { choices: '{}', digest_hour: null, digest_zone: null, digest_day: null };
  await tx
    .insertInto('notice_settings')
    .values({ user_id: userId, ...none, ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute();
}

/** Of these people, with this kind and subject, of that time. */
export async function listSame(
  tx: Transact,
  userIds: readonly string[],
  {
    kind,
    subject,
    after,
    until,
  }: Pick<NoticeRow, 'kind' | 'subject'> & { readonly after: number; readonly until: number },
) {
  return tx
    .selectFrom('notices')
    .select(['notice_id', 'user_id', 'repeats'])
    .where('user_id', 'in', userIds)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('created_at', '>', after)
    .where('created_at', '<=', until)
    .execute();
}

export async function deleteNotices(tx: Transact, noticeIds: readonly string[]): Promise<void> {
  for (const portion of portions(noticeIds)) {
    await tx.deleteFrom('notices').where('notice_id', 'in', portion).execute();
  }
}

export async function insertNotices(tx: Transact, rows: readonly NoticeRow[]): Promise<void> {
  for (const portion of portions(rows, 100)) await tx.insertInto('notices').values(portion).execute();
}

/** Deletes notices of before `since`, and those beyond the newest `most` of a person. */
export async function deleteOldNotices(
  tx: Transact,
  { since, most }: { readonly since: number; readonly most: number },
): Promise<void> {
  await tx.deleteFrom('notices').where('created_at', '<', since).execute();
  const full = await tx
    .selectFrom('notices')
    .select('user_id')
    .groupBy('user_id')
    .having((eb) => eb.fn.countAll(), '>', most)
    .execute();
  for (const { user_id } of full) {
    const oldest = tx
      .selectFrom('notices')
      .select('notice_id')
      .where('user_id', '=', user_id)
      .orderBy('notice_id', 'desc')
      .limit(1)
      .offset(most - 1);
    await tx.deleteFrom('notices').where('user_id', '=', user_id).where('notice_id', '<', oldest).execute();
  }
}

/** Admins of groups that are not in the trash. */
export async function listAdmins(tx: Transact, groupIds: readonly string[]) {
  return ADMINS(tx, groupIds);
}

const ADMINS = preparedAmong((db, groupIds) =>
  db
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .select(['group_members.entry_group_id', 'group_members.user_id'])
    .where('group_members.role', '=', 'admin')
    .where('entry_groups.trashed_by', 'is', null)
    .where('group_members.entry_group_id', 'in', groupIds),
);

/** Groups of the person that are not in the trash. */
export async function listLivingGroupsOf(tx: Transact, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .select('group_members.entry_group_id')
    .where('group_members.user_id', '=', userId)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
  return rows.map(({ entry_group_id }) => entry_group_id);
}

/** Those of the groups that need a new key. */
export const listRotationsDue = preparedAmong((db, groupIds) =>
  db
    .selectFrom('entry_groups')
    .select('entry_group_id')
    .where('rotation_due', '=', 1)
    .where('trashed_by', 'is', null)
    .where('entry_group_id', 'in', groupIds),
);

/** Last names of former members of groups that `adminId` administers now. */
export async function listFormerNames(read: Reader, adminId: string, userIds: readonly string[]) {
  if (userIds.length === 0) return [];
  return read
    .selectFrom('departures')
    .innerJoin('group_members', 'group_members.entry_group_id', 'departures.entry_group_id')
    .select(['departures.user_id', 'departures.user_name'])
    .where('group_members.user_id', '=', adminId)
    .where('group_members.role', '=', 'admin')
    .where('departures.user_id', 'in', userIds)
    .orderBy('departures.left_at')
    .execute();
}

/** For mails: people who are not disabled. */
export const listRecipients = preparedAmong((db, userIds) =>
  db
    .selectFrom('users')
    .select(['user_id', 'name', 'email'])
    .where('kind', '=', 'person')
    .where('disabled_at', 'is', null)
    .where('user_id', 'in', userIds),
);
