/** Rows of changes that no copy needs any more. */
import { takeCursorIn } from '../db/change-stamp.ts';
import type { Transact } from '../db/database.ts';
import { dialectOf } from '../db/dialect-of.ts';

/** Beyond the thirty days after which a client wipes what it could not sync (docs/spec/crypto.md §16). */
const KEPT_MS = 60 * 24 * 3_600_000;
/** A copy that is being made is entered, or given up, before that. */
const SETTLED_MS = 3_600_000;

/**
 * Copies that nobody continues any more go, and with them what only they would have had to be told. Copies move on while others are being made, so what
 * goes is below the oldest one of now and of some time ago: whatever began before that has ended.
 */
export async function deleteSpentChanges(tx: Transact, now: number): Promise<void> {
  await tx
    .deleteFrom('offline_copies')
    .where('created_at', '<', now - KEPT_MS)
    .execute();
  const floor = await tx.selectFrom('change_floor').select(['stamp', 'noted_at']).executeTakeFirst();
  // A clock that was put back begins anew.
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

/** The oldest copy's; where nobody has one, only what changes from now on may be asked for, by whoever makes the first. */
async function oldestNeeded(tx: Transact): Promise<number> {
  const oldest = await tx.selectFrom('offline_copies').select('stamp').orderBy('stamp').limit(1).executeTakeFirst();
  return oldest?.stamp ?? takeCursorIn(tx);
}

async function deleteBelow(tx: Transact, stamp: number): Promise<void> {
  await tx
    .deleteFrom('changed_entries')
    .where((eb) => {
      const spent = tx.selectFrom('changed_entries').select(['entry_group_id', 'entry_id']).where('stamp', '<', stamp);
      // The sweep does not wait for transactions that mark these entries, so it cannot be part of a deadlock.
      const free = dialectOf(tx) === 'postgres' ? spent.forUpdate().skipLocked() : spent;
      return eb(eb.refTuple('entry_group_id', 'entry_id'), 'in', free.$asTuple('entry_group_id', 'entry_id'));
    })
    .execute();
  await tx.deleteFrom('changed_access').where('stamp', '<', stamp).execute();
}
