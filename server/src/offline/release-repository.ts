/** Rows that say what was given away, and the last look at whether it may be. */
import type { Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';

/** The account as it is in the act; undefined when it has gone. */
export async function findStanding(tx: Transact, userId: string) {
  return tx.selectFrom('users').select(['epoch', 'disabled_at']).where('user_id', '=', userId).executeTakeFirst();
}

/** As the site's policy is in the act. */
export async function areCopiesAllowed(tx: Transact): Promise<boolean> {
  const row = await tx
    .selectFrom('site_settings')
    .select('value')
    .where('name', '=', 'offline_allowed')
    .executeTakeFirst();
  return row?.value !== 'false';
}

/** How many of these living groups the person is a member of. */
export async function countOwn(tx: Transact, userId: string, groupIds: readonly string[]): Promise<number> {
  let count = 0;
  for (const portion of portions(groupIds)) {
    const { found } = await tx
      .selectFrom('group_members')
      .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .where('group_members.user_id', '=', userId)
      .where('group_members.entry_group_id', 'in', portion)
      .where('entry_groups.trashed_by', 'is', null)
      .executeTakeFirstOrThrow();
    count += Number(found);
  }
  return count;
}

/** The application has had these groups up to this time. */
export async function noteReleases(
  tx: Transact,
  by: { readonly userId: string; readonly applicationId: string | null; readonly at: number },
  groupIds: readonly string[],
): Promise<void> {
  for (const portion of portions(groupIds)) {
    await tx
      .insertInto('offline_releases')
      .values(
        portion.map((entry_group_id) => ({
          user_id: by.userId,
          entry_group_id,
          user_application_id: by.applicationId ?? '',
          first_at: by.at,
          last_at: by.at,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'entry_group_id', 'user_application_id']).doUpdateSet({ last_at: by.at }),
      )
      .execute();
  }
}
