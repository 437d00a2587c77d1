/** Former backups, written into the database because a schedule would take days. */
import { join } from 'node:path';
import { openWriter } from '../../../server/src/db/sqlite/connections.ts';

/** `count` backups older than all others, alternately failed and removed. */
export async function addFormerBackups(dataDir: string, count: number): Promise<void> {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    const rows = Array.from({ length: count }, (_, at) => {
      const time = Date.UTC(2026, 0, 1 + at, 3);
      const stamp = String(at).padStart(12, '0');
      const isFailed = at % 2 === 0;
      return {
        backup_id: `00000000-0000-7000-8000-${stamp}`,
        state: isFailed ? ('error' as const) : ('deleted' as const),
        file_name: `pb_backup_former_${stamp}.tar.gz`,
        slot: null,
        has_password: 0 as const,
        attempts: 1,
        progress: null,
        size: isFailed ? null : 4210,
        counts: null,
        error_message: isFailed ? 'No space left' : null,
        made_at: isFailed ? null : time + 1000,
        deleted_at: isFailed ? null : time + 30 * 86_400_000,
        verified_at: null,
        created_at: time,
        updated_at: time,
      };
    });
    await queries.insertInto('backups').values(rows).execute();
  } finally {
    await queries.destroy();
  }
}

/** Makes the database say that backups were enabled three days ago and none has succeeded since. */
export async function makeBackupsOld(dataDir: string): Promise<void> {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    const at = Date.now() - 3 * 86_400_000;
    await queries.updateTable('backup_settings').set({ enabled: 1, enabled_at: at }).execute();
    await queries.updateTable('backups').set({ made_at: at }).where('made_at', 'is not', null).execute();
  } finally {
    await queries.destroy();
  }
}
