/** Clears the duty of seeded accounts to make new keys, because no endpoint does that. */
import type { Transact } from '../db/database.ts';

export async function forgetRekeying(tx: Transact): Promise<void> {
  await tx.updateTable('users').set({ must_rekey: 0 }).execute();
}
