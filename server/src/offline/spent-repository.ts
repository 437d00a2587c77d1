import { takeCursorIn } from '../db/change-stamp.ts';
import type { Transact } from '../db/database.ts';
import { dialectOf } from '../db/dialect-of.ts';

/** Longer than the thirty days after which a client wipes an unsynced copy (docs/spec/crypto.md §16). */
const KEPT_MS = 60 * 24 * 3_600_000;
/** Every copy in progress has ended by then. */
const SETTLED_MS = 3_600_000;

/**
 * Deletes abandoned copies and unneeded change marks: those below the oldest stamp, both now and an hour ago,
 * so copies in progress keep theirs.
 */
export async function deleteSpentChanges(tx: Transact, now: number): Promise<void> {
  await tx
    .deleteFrom('offline_copies')
    .where('created_at', '<', now - KEPT_MS)
    .execute();
  const floor = await tx.selectFrom('change_floor').select(['stamp', 'noted_at']).executeTakeFirst();
  // After a clock was set back.
  const isNoted = floor !== undefined && floor.noted_at <= now;
  if (isNoted && floor.noted_at > now - SETTLED_MS) return;
  const stamp = await oldestNeeded(tx);
  if (isNoted) await deleteBelow(tx, Math.min(floor.stamp, stamp));
  const columns = { stamp, noted_at: now };
  await tx
    .insertInto('change_floor')
    .values({ id: 1, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

/** Without copies, only later changes matter. */
async function oldestNeeded(tx: Transact): Promise<number> {
  const oldest = await tx.selectFrom('offline_copies').select('stamp').orderBy('stamp').limit(1).executeTakeFirst();
  return oldest?.stamp ?? takeCursorIn(tx);
}

async function deleteBelow(tx: Transact, stamp: number): Promise<void> {
  await tx
    .deleteFrom('changed_entries')
    .where((eb) => {
      const spent = tx.selectFrom('changed_entries').select(['entry_group_id', 'entry_id']).where('stamp', '<', stamp);
      // Skips rows that other transactions mark, so it cannot deadlock.
      const free = dialectOf(tx) === 'postgres' ? spent.forUpdate().skipLocked() : spent;
      return eb(eb.refTuple('entry_group_id', 'entry_id'), 'in', free.$asTuple('entry_group_id', 'entry_id'));
    })
    .execute();
  await tx.deleteFrom('changed_access').where('stamp', '<', stamp).execute();
}
