import type { Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';

export async function findAccountStatus(tx: Transact, userId: string) {
  return tx.selectFrom('users').select(['epoch', 'disabled_at']).where('user_id', '=', userId).executeTakeFirst();
}

export async function areCopiesAllowed(tx: Transact): Promise<boolean> {
  const row = await tx
    .selectFrom('site_settings')
    .select('value')
    .where('name', '=', 'offline_allowed')
    .executeTakeFirst();
  return row?.value !== 'false';
}

/** Live ones that the person belongs to. */
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
