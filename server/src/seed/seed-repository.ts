/** What the seed writes directly, because no call does it: whoever was made by an admin has to make new keys himself. */
import type { Transact } from '../db/database.ts';

export async function forgetRekeying(tx: Transact): Promise<void> {
  await tx.updateTable('users').set({ must_rekey: 0 }).execute();
}
