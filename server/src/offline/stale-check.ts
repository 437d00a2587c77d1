/** Whether a copy has to be continued. What others have changed since is looked at once: a copy that it does not concern stands after it. */
import { takeCursor } from '../db/change-stamp.ts';
import type { Database } from '../db/database.ts';
import { confirmCopy, type OfflineCopy } from './copy-repository.ts';
import { hasAnythingChanged, hasOwnChanged } from './own-changes-repository.ts';

/** How often it is written down that a copy is still in use where nothing changes. */
const CONFIRM_MS = 24 * 3_600_000;

/**
 * The work has a bound, however large the vault is and whatever others did: where nothing changed the ends of three indexes are read. A yes may be wrong where
 * more has changed at once than is looked at: the delta tells. A no never is.
 * @param now milliseconds
 */
export async function isCopyStale(db: Database, copy: OfflineCopy, now: number) {
  const { copy_id: copyId, user_id: userId, stamp, created_at: confirmedAt } = copy;
  if (!(await hasAnythingChanged(db.read, stamp))) {
    if (now - confirmedAt > CONFIRM_MS) await db.note((tx) => confirmCopy(tx, { copyId, stamp, now }));
    return false;
  }
  // In this order: what changes after the cursor was taken is looked at the next time.
  const cursor = await takeCursor(db);
  if (await hasOwnChanged(db.read, { userId, stamp })) return true;
  await db.note((tx) => confirmCopy(tx, { copyId, stamp: cursor, now }));
  return false;
}
