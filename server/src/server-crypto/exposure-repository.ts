/** When the server last saw a person's master password. */
import type { Transact } from '../db/database.ts';

/** Records the time. @returns whether it is the first since the person's keys were made */
export async function markExposed(tx: Transact, userId: string, now: number): Promise<boolean> {
  const before = await tx.selectFrom('users').select('mp_exposed_at').where('user_id', '=', userId).executeTakeFirst();
  await tx.updateTable('users').set({ mp_exposed_at: now }).where('user_id', '=', userId).execute();
  return before?.mp_exposed_at === null;
}
