/** One row, absent until first saved. */
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

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
