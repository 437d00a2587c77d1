/** Rows of copies in a second target. */
import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';
import type { BackupRow } from '../backup-repository.ts';

export type CopyRow = Tables['backup_copies'];
type Reader = Database['read'] | Transact;

/** Adds a copy that waits, unless the backup has one in this target. */
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

/** Copies of these backups in this target, by the id of the backup. */
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
 * The newest backup that is there and whose copy is due; one that is being copied counts, because its process may have died.
 * @param latest the latest time for a next try that a clock which was not set back has given
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

/** Copies whose backup was removed by retention, without the newest copy of all, which always stays. */
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

/** No copy in this target is tried before `dueAt`. */
export async function postponeAll(tx: Transact, target: string, dueAt: number): Promise<void> {
  await tx
    .updateTable('backup_copies')
    .set({ due_at: dueAt })
    .where('target', '=', target)
    .where('state', 'in', ['waiting', 'failed'])
    .where('due_at', '<', dueAt)
    .execute();
}

/** All that will be tried again are tried now. */
export async function makeAllDue(tx: Transact, target: string, now: number): Promise<void> {
  await tx
    .updateTable('backup_copies')
    .set({ due_at: now })
    .where('target', '=', target)
    .where('state', 'in', ['waiting', 'failed'])
    .where('due_at', '>', now)
    .execute();
}

/** The newest copy that is there; the newest of all those not removed when `state` is absent. */
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

/** When the first copy was asked for among those newer than `after` that are not there; undefined when all are. */
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
