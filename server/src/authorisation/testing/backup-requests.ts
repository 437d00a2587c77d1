/** Backups and recovery. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveOf } from '../../backups/testing/archive.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { about, sends, type Requests } from './sending.ts';
import type { World } from './world.ts';

/** A backup with the archive of another site, because the values of this one are made up. */
async function storedBackup({ app }: World): Promise<string> {
  const { db, clock, newId, config } = app.deps;
  const [id, now] = [newId(), clock.now()];
  const file_name = `pb_backup_${id}.tar.gz`;
  const other = await startTestApp();
  await mkdir(config.backupDir, { recursive: true });
  await copyFile(await archiveOf(other, { password: null }), join(config.backupDir, file_name));
  await other.stop();
  const unknown = { slot: null, progress: null, counts: null, error_message: null, deleted_at: null };
  const times = { made_at: now, verified_at: now, created_at: now, updated_at: now };
  const row = { backup_id: id, state: 'created', file_name, has_password: 0, attempts: 1, size: 1 } as const;
  await db.transact(async (tx) => {
    await tx
      .insertInto('backups')
      .values({ ...row, ...unknown, ...times })
      .execute();
  });
  return id;
}

const ofStored = about(storedBackup, (id) => ({ params: { id } }));
const recovery = new FormData();
recovery.append('backupFile', new Blob(['no backup']), 'pb_backup.tar.gz');

export const BACKUP_REQUESTS: Requests = {
  'GET /system/api/setting/backupSetting/backup': sends(),
  'POST /system/api/setting/backupSetting/backup': sends({
    json: { schedule: [3], enable: false, email_enable: false },
  }),
  'GET /system/api/backups': sends(),
  'POST /system/api/backups': sends(),
  'GET /system/api/backups/:id': ofStored,
  'GET /system/api/backups/:id/download': ofStored,
  'POST /system/api/backups/:id/verify': about(storedBackup, (id) => ({ params: { id }, json: {} })),
  'POST /system/api/backups/:id/copy': about(storedBackup, (id) => ({ params: { id }, json: {} })),
  'GET /system/api/backupStatus': sends(),
  'GET /system/api/recovery': sends(),
  'POST /system/api/recovery': sends({ multipart: recovery }),
};
