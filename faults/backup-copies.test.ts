/**
 * Copies to a full or read-only disk, to a store that hangs, and with a killed process: the backup
 * itself is always good.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { startS3Store } from '../server/src/testing/s3-store.ts';
import { type Caller, signUp } from './testing/caller.ts';
import { MB, canInsert, insertDisk } from './testing/disk.ts';

const hasDisk = canInsert();

let server: RunningServer;
let ada: Caller;
afterEach(() => server.stop());

interface Shown {
  readonly backup_id: string;
  readonly state: string;
  readonly file_name: string;
  readonly copy: { readonly state: string; readonly error_message: string | null } | null;
}

const shown = (id: string) => ada.accepted<Shown>('GET', `/system/api/backups/${id}`);
const copyState = async (id: string) => (await shown(id)).copy?.state;

/** Makes a backup and waits until its copy is in this state. */
async function backUp(state: string): Promise<Shown> {
  const { backup_id: id } = await ada.accepted<Shown>('POST', '/system/api/backups');
  await expect.poll(() => copyState(id), { timeout: 60_000, interval: 100 }).toBe(state);
  const backup = await shown(id);
  expect(backup.state).toBe('created');
  return backup;
}

(hasDisk ? test : test.skip)(
  `a second target on a full disk, and on a read-only disk${hasDisk ? '' : ' (skipped: no file system can be mounted here)'}`,
  async () => {
    const disk = insertDisk(128);
    try {
      server = await startServer({ env: { LOG_LEVEL: 'fatal', BACKUP_COPY: disk.folder } });
      ada = await signUp(server);
      const first = await backUp('copied');
      const { bavail, bsize } = statfsSync(disk.folder);
      writeFileSync(join(disk.folder, 'others'), Buffer.alloc(bavail * bsize - 60 * MB));
      const second = await backUp('failed');
      expect(second.copy?.error_message).toBe('There is not enough space in the second target.');
      rmSync(join(disk.folder, 'others'));
      execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
      await ada.accepted('POST', `/system/api/backups/${second.backup_id}/copy`);
      await expect.poll(() => copyState(second.backup_id), { timeout: 60_000 }).toBe('failed');
      expect((await shown(second.backup_id)).copy?.error_message).toBe(
        'The folder of the second target cannot be written to.',
      );
      expect(readdirSync(disk.folder).filter((name) => name.includes('pb_backup'))).toEqual([first.file_name]);
      expect(readdirSync(disk.folder).filter((name) => name.startsWith('.'))).toEqual([]);
    } finally {
      disk.remove();
    }
  },
);

test('a store that hangs delays neither backups nor the stop of the server; after a kill the next process makes the copy', async () => {
  const store = await startS3Store();
  store.setFault({ kind: 'stall' });
  server = await startServer({ env: { LOG_LEVEL: 'fatal', ...store.environment } });
  ada = await signUp(server);
  const first = await backUp('copying');
  const second = await ada.accepted<Shown>('POST', '/system/api/backups');
  await expect.poll(async () => (await shown(second.backup_id)).state, { timeout: 60_000 }).toBe('created');
  expect(await copyState(first.backup_id)).toBe('copying');
  expect(await server.end()).toBe(0);
  await server.restart();
  await expect.poll(() => copyState(second.backup_id), { timeout: 60_000, interval: 100 }).toBe('copying');
  await server.kill();
  store.setFault(null);
  await server.restart();
  for (const { backup_id: id, file_name: name } of [first, second]) {
    await expect.poll(() => copyState(id), { timeout: 120_000, interval: 500 }).toBe('copied');
    expect(store.objects.get(`backups/team/${name}`)?.equals(readFileSync(join(server.dataDir, 'backups', name)))).toBe(
      true,
    );
  }
  await store.stop();
});
