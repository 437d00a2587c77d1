import type { Selectable, Kysely } from 'kysely';
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import { ENTRY_COLUMNS } from '../entries/entry-repository.ts';

export type OfflineCopy = Selectable<Tables['offline_copies']>;

/** A response may get lost, and two windows may fetch at once. */
const KEPT = 3;

/** Of this person and application (null: none). */
export async function findCopy(
  db: Database,
  {
    cursor,
    userId,
    applicationId,
  }: { readonly cursor: string; readonly userId: string; readonly applicationId: string | null },
) {
  return db.read
    .selectFrom('offline_copies')
    .selectAll()
    .where('copy_id', '=', cursor)
    .where('user_id', '=', userId)
    .where('user_application_id', 'is not distinct from', applicationId)
    .executeTakeFirst();
}

/** Moves the stamp forward and marks the copy as in use. */
export async function confirmCopy(
  tx: Transact,
  { copyId, stamp, now }: { readonly copyId: string; readonly stamp: number; readonly now: number },
): Promise<void> {
  await tx
    .updateTable('offline_copies')
    .set({ stamp, created_at: now })
    .where('copy_id', '=', copyId)
    .where('stamp', '<=', stamp)
    .execute();
}

/** Stamps by application. */
export async function listNewestCopies(db: Database, userId: string): Promise<Map<string, number>> {
  const rows = await db.read
    .selectFrom('offline_copies')
    .select((eb) => ['user_application_id', eb.fn.max<number | string>('stamp').as('stamp')])
    .where('user_id', '=', userId)
    .where('user_application_id', 'is not', null)
    .groupBy('user_application_id')
    .execute();
  return new Map(rows.map(({ user_application_id, stamp }) => [user_application_id ?? '', Number(stamp)]));
}

export async function findNewestCopy(db: Database, applicationId: string) {
  return db.read
    .selectFrom('offline_copies')
    .selectAll()
    .where('user_application_id', '=', applicationId)
    .orderBy('stamp', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Deletes all but the newest copies of the application. */
export async function insertCopy(tx: Transact, row: Tables['offline_copies'], kept = KEPT): Promise<void> {
  const { user_id, user_application_id } = row;
  const former = await tx
    .selectFrom('offline_copies')
    .select('copy_id')
    .where('user_id', '=', user_id)
    .where('user_application_id', 'is not distinct from', user_application_id)
    .orderBy('stamp', 'desc')
    .orderBy('copy_id', 'desc')
    .execute();
  const unneeded = former.slice(kept - 1).map(({ copy_id }) => copy_id);
  if (unneeded.length > 0) await tx.deleteFrom('offline_copies').where('copy_id', 'in', unneeded).execute();
  await tx.insertInto('offline_copies').values(row).execute();
}

export async function deleteCopiesOf(tx: Transact, applicationId: string): Promise<void> {
  await tx.deleteFrom('offline_copies').where('user_application_id', '=', applicationId).execute();
}

/** Keeps the order of rows. */
export function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

export async function listEntries(read: Kysely<Tables>, entryIds: readonly string[]) {
  return read
    .selectFrom('entries')
    .select(ENTRY_COLUMNS)
    .where('entry_id', 'in', entryIds)
    .where('trashed_by', 'is', null)
    .execute();
}
