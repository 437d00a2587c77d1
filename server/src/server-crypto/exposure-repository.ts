/** When the server last saw a person's master password. */
import type { Transact } from '../db/database.ts';

export async function markExposed(tx: Transact, userId: string, now: number): Promise<void> {
  await tx.updateTable('users').set({ mp_exposed_at: now }).where('user_id', '=', userId).execute();
}
