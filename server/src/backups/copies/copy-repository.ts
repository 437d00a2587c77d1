import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { BackupRow } from '../backup-repository.ts';

export type CopyRow = Tables['backup_copies'];
type Reader = Database['read'] | Transact;

/** Ignored if the backup has a row for this target. */
export async function insertCopy(tx: Transact, backupId: string, target: string, now: number): Promise<void> {
  await tx
    .insertInto('backup_copies')
    .values({
      backup_id: backupId,
      target,
      state: 'waiting',
      attempts: 0,
      due_at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['backup_id', 'target']).doNothing())
    .execute();
}

export async function findCopy(db: Reader, backupId: string, target: string): Promise<CopyRow | undefined> {
  return db
    .selectFrom('backup_copies')
    .selectAll()
    .where('backup_id', '=', backupId)
    .where('target', '=', target)
    .executeTakeFirst();
}

/** By backup id. */
export async function copiesOf(
  db: Reader,
  target: string,
  backupIds: readonly string[],
): Promise<ReadonlyMap<string, CopyRow>> {
  if (backupIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('backup_copies')
    .selectAll()
    .where('target', '=', target)
    .where('backup_id', 'in', backupIds)
    .execute();
  return new Map(rows.map((row) => [row.backup_id, row]));
}

export async function changeCopy(
  tx: Transact,
  { backup_id, target }: Pick<CopyRow, 'backup_id' | 'target'>,
  changes: Partial<Omit<CopyRow, 'backup_id' | 'target'>>,
): Promise<void> {
  await tx
    .updateTable('backup_copies')
    .set(changes)
    .where('backup_id', '=', backup_id)
    .where('target', '=', target)
    .execute();
}

/**
 * The newest existing backup with a due copy, also `copying`: that process may have died.
 * @param latest later due times come from a wrong clock
 */
export async function findDue(
  db: Reader,
  target: string,
  { now, latest }: { readonly now: number; readonly latest: number },
): Promise<BackupRow | undefined> {
  return db
    .selectFrom('backup_copies as copy')
    .innerJoin('backups as backup', 'backup.backup_id', 'copy.backup_id')
    .selectAll('backup')
    .where('copy.target', '=', target)
    .where('copy.state', 'in', ['waiting', 'copying', 'failed'])
    .where((eb) => eb.or([eb('copy.due_at', '<=', now), eb('copy.due_at', '>', latest)]))
    .where('backup.state', '=', 'created')
    .orderBy('copy.backup_id', 'desc')
    .executeTakeFirst();
}

/** Copied, but removed by retention; never the newest copy. */
export async function findRemovable(db: Reader, target: string, now: number): Promise<BackupRow | undefined> {
  return db
    .selectFrom('backup_copies as copy')
    .innerJoin('backups as backup', 'backup.backup_id', 'copy.backup_id')
    .selectAll('backup')
    .where('copy.target', '=', target)
    .where('copy.state', '=', 'copied')
    .where('backup.state', '=', 'deleted')
    .where((eb) => eb.or([eb('copy.due_at', 'is', null), eb('copy.due_at', '<=', now)]))
    .where('copy.backup_id', '<', (eb) =>
      eb
        .selectFrom('backup_copies')
        .select((newest) => newest.fn.max<string>('backup_id').as('id'))
        .where('target', '=', target)
        .where('state', '=', 'copied'),
    )
    .orderBy('copy.backup_id')
    .executeTakeFirst();
}

export async function postponeAll(tx: Transact, target: string, dueAt: number): Promise<void> {
  await tx
    .updateTable('backup_copies')
    .set({ due_at: dueAt })
    .where('target', '=', target)
    .where('state', 'in', ['waiting', 'failed'])
    .where('due_at', '<', dueAt)
    .execute();
}

export async function makeAllDue(tx: Transact, target: string, now: number): Promise<void> {
  await tx
    .updateTable('backup_copies')
    .set({ due_at: now })
    .where('target', '=', target)
    .where('state', 'in', ['waiting', 'failed'])
    .where('due_at', '>', now)
    .execute();
}

export async function findNewestCopy(
  db: Reader,
  target: string,
  states: readonly CopyRow['state'][],
): Promise<CopyRow | undefined> {
  return db
    .selectFrom('backup_copies')
    .selectAll()
    .where('target', '=', target)
    .where('state', 'in', states)
    .orderBy('backup_id', 'desc')
    .executeTakeFirst();
}

/** When the first missing copy newer than `after` was requested. */
export async function findOldestUncopied(db: Reader, target: string, after: string): Promise<number | undefined> {
  const oldest = await db
    .selectFrom('backup_copies')
    .select('created_at')
    .where('target', '=', target)
    .where('state', 'in', ['waiting', 'copying', 'failed'])
    .where('backup_id', '>', after)
    .orderBy('created_at')
    .executeTakeFirst();
  return oldest?.created_at;
}
