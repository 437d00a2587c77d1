import { takeCursorIn } from '../db/change-stamp.ts';
import type { Database, Transact } from '../db/database.ts';
import { storageFailure } from '../db/failures.ts';
import { confirmCopy, type OfflineCopy } from './copy-repository.ts';
import { hasAnythingChanged, hasOwnChanged } from './own-changes-repository.ts';

/** How often an unchanged copy is marked as in use. */
const CONFIRM_MS = 24 * 3_600_000;

/**
 * Bounded work: `true` may be wrong after very many changes, `false` never is. Waits for no writer. @param
 * now Unix time in ms
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
 * Moves the cursor past changes of others; true if there was one for this person. The cursor is taken before
 * the check, so no change is lost.
 */
async function moveOn(tx: Transact, copy: OfflineCopy, now: number): Promise<boolean> {
  const { copy_id: copyId, user_id: userId, stamp } = copy;
  const cursor = await takeCursorIn(tx);
  // A long transaction still holds the cursor back.
  if (cursor <= stamp) return false;
  if (await hasOwnChanged(tx, { userId, stamp })) return true;
  await confirmCopy(tx, { copyId, stamp: cursor, now });
  return false;
}

/** Only an optimisation: null if it failed or would have to wait. */
async function remember<T>(db: Database, work: (tx: Transact) => Promise<T>): Promise<T | null> {
  try {
    return await db.transactIfFree(work);
  } catch (error) {
    if (storageFailure(error) === null) throw error;
    return null;
  }
}
