import type { Database } from '../../db/database.ts';

/** When each person made the current recovery kit, Unix ms. Leaves out people without one. */
export async function listKitTimes(db: Database['read'], userIds: readonly string[]): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('user_key_slots')
    .select(['user_id', 'created_at'])
    .where('slot_type', '=', 'recovery')
    .where('user_id', 'in', userIds)
    .execute();
  return new Map(rows.map(({ user_id, created_at }) => [user_id, created_at]));
}
