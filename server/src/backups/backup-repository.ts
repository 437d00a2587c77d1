import type { BackupState } from '@passwordbroker/core/contract/site/backups';
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import { latestPast } from '../platform/clock.ts';

export type BackupRow = Tables['backups'];
type Reader = Pick<Database, 'read'>;

/** Returns false if the slot already has a backup. */
export async function insertBackup(tx: Transact, row: BackupRow): Promise<boolean> {
  const made = await tx
    .insertInto('backups')
    .values(row)
    .onConflict((conflict) => conflict.column('slot').doNothing())
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows === 1n;
}

export async function hasFileName(db: Database['read'] | Transact, names: readonly string[]): Promise<boolean> {
  const found = await db.selectFrom('backups').select('backup_id').where('file_name', 'in', names).executeTakeFirst();
  return found !== undefined;
}

export async function findNewestId(tx: Transact): Promise<string | undefined> {
  const newest = await tx.selectFrom('backups').select('backup_id').orderBy('backup_id', 'desc').executeTakeFirst();
  return newest?.backup_id;
}

export async function hasSlot({ read }: Reader, slot: string): Promise<boolean> {
  return (await read.selectFrom('backups').select('slot').where('slot', '=', slot).executeTakeFirst()) !== undefined;
}

export async function findBackup(db: Database['read'] | Transact, id: string): Promise<BackupRow | undefined> {
  return db.selectFrom('backups').selectAll().where('backup_id', '=', id).executeTakeFirst();
}

export async function listBackups({ read }: Reader, span: { offset: number; limit: number }): Promise<BackupRow[]> {
  return read
    .selectFrom('backups')
    .selectAll()
    .orderBy('backup_id', 'desc')
    .limit(span.limit)
    .offset(span.offset)
    .execute();
}

export async function countBackups({ read }: Reader): Promise<number> {
  const { n } = await read
    .selectFrom('backups')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Oldest first. */
export async function listInState(
  db: Database['read'] | Transact,
  state: BackupState,
  limit: number,
): Promise<BackupRow[]> {
  return db.selectFrom('backups').selectAll().where('state', '=', state).orderBy('backup_id').limit(limit).execute();
}

export async function changeBackup(
  tx: Transact,
  id: string,
  changes: Partial<Omit<BackupRow, 'backup_id'>>,
): Promise<void> {
  await tx.updateTable('backups').set(changes).where('backup_id', '=', id).execute();
}

/** In percent; ignored once the backup has ended. */
export async function noteProgress(tx: Transact, id: string, { progress, now }: { progress: number; now: number }) {
  const creating = tx.updateTable('backups').where('backup_id', '=', id).where('state', '=', 'creating');
  await creating.set({ progress, updated_at: now }).execute();
}

/** Up to 100 older than `before` (null: all), newest first. */
export async function listCreated({ read }: Reader, before: string | null): Promise<BackupRow[]> {
  const created = read.selectFrom('backups').selectAll().where('state', '=', 'created').orderBy('backup_id', 'desc');
  return (before === null ? created : created.where('backup_id', '<', before)).limit(100).execute();
}

/** Unix time in ms; 0 without a backup. */
export async function lastBackupAt({ read }: Reader, now: number): Promise<number> {
  const { at } = await read
    .selectFrom('backups')
    .select((eb) => eb.fn.max<number | null>('made_at').as('at'))
    .where('made_at', '<=', latestPast(now))
    .executeTakeFirstOrThrow();
  return at ?? 0;
}

/** One row, absent until first saved. */
export type SettingsRow = Tables['backup_settings'];

/** docs/spec/decisions.md H5. */
const KEEP = 30;

const UNSET: SettingsRow = {
  id: 1,
  schedule: '[]',
  enabled: 0,
  email_enabled: 0,
  email: null,
  recipient: null,
  sealed_identity: null,
  keep: KEEP,
  keep_days: 0,
  enabled_at: null,
  updated_at: 0,
};

export const hoursOf = ({ schedule }: Pick<SettingsRow, 'schedule'>): number[] => JSON.parse(schedule) as number[];

export async function readSettings(db: Database['read'] | Transact): Promise<SettingsRow> {
  return (await db.selectFrom('backup_settings').selectAll().executeTakeFirst()) ?? UNSET;
}

export async function writeSettings(tx: Transact, row: SettingsRow): Promise<void> {
  const { id: _, ...columns } = row;
  await tx
    .insertInto('backup_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}
