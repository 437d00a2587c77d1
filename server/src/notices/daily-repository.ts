import { sql } from 'kysely';
import { DUE_DAYS_BEFORE, DUE_EVERY_DAYS, type NoticeKind } from '@passwordbroker/core/domain/notices';
import type { Database, Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';

type Reader = Database['read'] | Transact;

const DAY = 24 * 60 * 60_000;

const people = (db: Reader) =>
  db
    .selectFrom('users')
    .leftJoin('notice_settings', 'notice_settings.user_id', 'users.user_id')
    .select(['users.user_id', 'users.name', 'users.email'])
    .select(['choices', 'digest_hour', 'digest_zone', 'digest_day'])
    .where('users.kind', '=', 'person')
    .where('users.disabled_at', 'is', null);

/** `choices` and the following members are null for a person without settings. */
export interface DailyPerson {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly choices: string | null;
  readonly digest_hour: number | null;
  readonly digest_zone: string | null;
  readonly digest_day: string | null;
}

/** All enabled accounts, with their settings of the daily mail. */
export async function listEverybody(read: Database['read']): Promise<DailyPerson[]> {
  return people(read).execute();
}

export async function listAmong(tx: Transact, userIds: readonly string[]): Promise<DailyPerson[]> {
  return people(tx).where('users.user_id', 'in', userIds).execute();
}

/**
 * Entries to remind the person of on these days (given by their beginnings, Unix ms), the most urgent first. Only
 * entries of groups where the person is moderator or admin.
 */
export async function listReminders(tx: Transact, userId: string, days: readonly number[]) {
  return tx
    .selectFrom('entries')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entries.entry_group_id')
    .select(['entries.entry_id', 'entries.entry_group_id'])
    .where('group_members.user_id', '=', userId)
    .where('group_members.role', 'in', ['moderator', 'admin'])
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.trashed_by', 'is', null)
    .where('entries.due_at', 'is not', null)
    .where((eb) =>
      eb.or(
        days.flatMap((day) => [
          eb(
            'entries.due_at',
            'in',
            DUE_DAYS_BEFORE.map((before) => day + before * DAY),
          ),
          eb.and([
            eb('entries.due_at', '<', day),
            eb(sql`(cast(${day} as bigint) - entries.due_at) % ${sql.lit(DUE_EVERY_DAYS * DAY)}`, '=', 0),
          ]),
        ]),
      ),
    )
    .orderBy('entries.due_at')
    .orderBy('entries.entry_id')
    .execute();
}

/** The entries among these that the person may read and that are due before `until`. */
export async function listStillDue(
  { read }: Pick<Database, 'read'>,
  userId: string,
  entryIds: readonly string[],
  until: number,
) {
  const found: Pick<Tables['entries'], 'entry_id' | 'entry_group_id' | 'title'>[] = [];
  for (const portion of portions(entryIds)) {
    found.push(
      ...(await read
        .selectFrom('entries')
        .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
        .innerJoin('group_members', 'group_members.entry_group_id', 'entries.entry_group_id')
        .select(['entries.entry_id', 'entries.entry_group_id', 'entries.title'])
        .where('group_members.user_id', '=', userId)
        .where('entries.entry_id', 'in', portion)
        .where('entries.trashed_by', 'is', null)
        .where('entry_groups.trashed_by', 'is', null)
        .where('entries.due_at', '<=', until)
        .execute()),
    );
  }
  return found;
}

/** Unread notices of the person, of these kinds, that were in no mail yet. */
export async function listUntold(tx: Transact, userId: string, kinds: readonly NoticeKind[]) {
  if (kinds.length === 0) return [];
  return tx
    .selectFrom('notices')
    .select(['notice_id', 'kind', 'subject'])
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .where('read_at', 'is', null)
    .where('mailed_at', 'is', null)
    .orderBy('notice_id')
    .execute();
}

export async function setMailed(tx: Transact, noticeIds: readonly string[], now: number): Promise<void> {
  for (const portion of portions(noticeIds)) {
    await tx.updateTable('notices').set({ mailed_at: now }).where('notice_id', 'in', portion).execute();
  }
}
