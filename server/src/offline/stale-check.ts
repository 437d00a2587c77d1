/** Whether a copy has to be continued. What others have changed since is looked at once: a copy that it does not concern stands after it. */
import { takeCursorIn } from '../db/change-stamp.ts';
import type { Database, Transact } from '../db/database.ts';
import { storageFailure } from '../db/failures.ts';
import { confirmCopy, type OfflineCopy } from './copy-repository.ts';
import { hasAnythingChanged, hasOwnChanged } from './own-changes-repository.ts';

/** How often it is written down that a copy is still in use where nothing changes. */
const CONFIRM_MS = 24 * 3_600_000;

/**
 * The work has a bound, however large the vault is and whatever others did: where nothing changed the ends of three indexes are read. A yes may be wrong where
 * more has changed at once than is looked at: the delta tells. A no never is. Nobody who writes is waited for.
 * @param now milliseconds
 */
export async function isCopyStale(db: Database, copy: OfflineCopy, now: number): Promise<boolean> {
  const { copy_id: copyId, user_id: userId, stamp, created_at: confirmedAt } = copy;
  if (!(await hasAnythingChanged(db.read, stamp))) {
    if (now - confirmedAt > CONFIRM_MS) await remember(db, (tx) => confirmCopy(tx, { copyId, stamp, now }));
    return false;
  }
  if (await hasOwnChanged(db.read, { userId, stamp })) return true;
  return (await remember(db, (tx) => moveOn(tx, copy, now))) ?? false;
}

/**
 * In this order, and in one act: what changes after the cursor was taken is looked at the next time, what changed since the look that came before it is seen
 * now. @returns whether there was such
 */
async function moveOn(tx: Transact, copy: OfflineCopy, now: number): Promise<boolean> {
  const { copy_id: copyId, user_id: userId, stamp } = copy;
  const cursor = await takeCursorIn(tx);
  // Behind somebody who has been at work for long it cannot move yet.
  if (cursor <= stamp) return false;
  if (await hasOwnChanged(tx, { userId, stamp })) return true;
  await confirmCopy(tx, { copyId, stamp: cursor, now });
  return false;
}

/** Saves work for the next check; no answer depends on it. @returns null if it would have to wait or failed */
async function remember<T>(db: Database, work: (tx: Transact) => Promise<T>): Promise<T | null> {
  try {
    return await db.transactIfFree(work);
  } catch (error) {
    if (storageFailure(error) === null) throw error;
    return null;
  }
}
