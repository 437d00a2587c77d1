/**
 * The server is killed during a backup: after the next start the backup is made again, and nothing
 * of the first attempt remains.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, MASTER_PASSWORD, type Caller, addGroup, signUp } from './testing/caller.ts';

const FILE_BYTES = 10_000_000;
const FILES = 6;

let server: RunningServer;
let ada: Caller;
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'fatal' } });
  ada = await signUp(server);
  const path = `${BASE}/entryGroups/${await addGroup(ada, 'Vault')}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', path, { title: 'One' });
  for (let made = 0; made < FILES; made += 1) {
    const form = new FormData();
    form.append('type', 'file');
    form.append('master_password', MASTER_PASSWORD);
    form.append('file', new Blob([new Uint8Array(randomBytes(FILE_BYTES))]), 'large.bin');
    expect((await ada.send('POST', `${path}/${entry_id}/fields`, form)).status).toBe(201);
  }
});
afterAll(() => server.stop());

interface Shown {
  readonly backup_id: string;
  readonly state: string;
  readonly progress: number | null;
  readonly file_name: string;
}
const shown = (id: string) => ada.accepted<Shown>('GET', `/system/api/backups/${id}`);
const archives = () => readdirSync(join(server.dataDir, 'backups')).toSorted();

/** Resolves when the backup has reached that percentage. */
async function until(id: string, percent: number): Promise<void> {
  for (;;) {
    const { state, progress } = await shown(id);
    if (state === 'creating' && (progress ?? 0) >= percent) return;
    expect(state).toMatch(/^(await|creating)$/);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test.each([0, 10, 60])('killed at %i percent of a backup', async (percent) => {
  const { backup_id: id } = await ada.accepted<Shown>('POST', '/system/api/backups');
  await until(id, percent);
  await server.kill();
  await server.restart();
  // The lease of the dead process expires after 30 seconds.
  await expect.poll(() => shown(id), { timeout: 120_000, interval: 500 }).toMatchObject({ state: 'created' });
  const { file_name } = await shown(id);
  expect(archives()).toContain(file_name);
  expect(archives().filter((name) => !/^pb_backup_[\d_]+\.tar\.gz$/.test(name))).toEqual([]);
  expect(readdirSync(join(server.dataDir, 'backup-work'))).toEqual([]);
  const verified = await ada.request('POST', `/system/api/backups/${id}/verify`, {});
  expect(verified.status, verified.text).toBe(200);
});
