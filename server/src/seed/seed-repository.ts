/** Clears the duty to make new keys, for which there is no endpoint. */
import type { Transact } from '../db/database.ts';

export async function forgetRekeying(tx: Transact): Promise<void> {
  await tx.updateTable('users').set({ must_rekey: 0 }).execute();
}
