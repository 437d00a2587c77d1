/** Rows of changes that no copy needs any more. */
import type { Transact } from '../db/database.ts';

/** Beyond the thirty days after which a client wipes what it could not sync (`crypto.md` §16). */
const KEPT_MS = 60 * 24 * 3_600_000;
/** A copy that is being entered just now may be older than any that is there. */
const SETTLED_MS = 3_600_000;

/** Copies that nobody continues any more go, and with them what only they would have had to be told. */
export async function deleteSpentChanges(tx: Transact, now: number): Promise<void> {
  await tx
    .deleteFrom('offline_copies')
    .where('created_at', '<', now - KEPT_MS)
    .execute();
  const oldest = await tx
    .selectFrom('offline_copies')
    .select(['stamp', 'created_at'])
    .orderBy('stamp')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined || oldest.created_at > now - SETTLED_MS) return;
  await tx.deleteFrom('changed_entries').where('stamp', '<', oldest.stamp).execute();
  await tx.deleteFrom('changed_access').where('stamp', '<', oldest.stamp).execute();
}
