/**
 * R23: a disk without enough space for a backup: the backup fails, its partial files are removed,
 * and older backups stay. A backup never uses the space that the vault needs, which is on the same
 * disk by default.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, MASTER_PASSWORD, type Caller, addGroup, signUp } from './testing/caller.ts';
import { type Disk, MB, canInsert, insertDisk } from './testing/disk.ts';

const hasDisk = canInsert();
const suite = hasDisk ? test : test.skip;
const named = (name: string) => (hasDisk ? name : `${name} (skipped: no file system can be mounted here)`);
/** Smaller than the files with 5 % free. */
const DISK_MB = 32;
const ONE_DISK_MB = 200;
const FILE_BYTES = 10_000_000;
const FILES = 3;
const MANY_FILES = 9;

let disk: Disk;
let server: RunningServer;
let ada: Caller;
let entries: string;
let fields: string;
async function start(megabytes: number, isShared: boolean): Promise<void> {
  disk = insertDisk(megabytes);
  server = isShared
    ? await startServer({ dataDir: join(disk.folder, 'data'), env: { LOG_LEVEL: 'fatal' } })
    : await startServer({ env: { LOG_LEVEL: 'fatal', BACKUP_DIR: disk.folder } });
  ada = await signUp(server);
  const path = `${BASE}/entryGroups/${await addGroup(ada, 'Vault')}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', path, { title: 'One' });
  entries = path;
  fields = `${path}/${entry_id}/fields`;
}
afterEach(async () => {
  if (!hasDisk) return;
  await server.stop();
  disk.remove();
});

interface Shown {
  readonly backup_id: string;
  readonly state: string;
  readonly file_name: string;
  readonly error_message: string | null;
}

async function backUp(): Promise<Shown> {
  const { backup_id } = await ada.accepted<Shown>('POST', '/system/api/backups');
  let shown: Shown | null = null;
  await expect
    .poll(
      async () => {
        shown = await ada.accepted<Shown>('GET', `/system/api/backups/${backup_id}`);
        return shown.state;
      },
      { timeout: 120_000, interval: 200 },
    )
    .toMatch(/^(created|error)$/);
  return shown ?? Promise.reject(new Error('Nothing was shown'));
}

async function addFile(): Promise<string> {
  const form = new FormData();
  form.append('type', 'file');
  form.append('master_password', MASTER_PASSWORD);
  form.append('file', new Blob([new Uint8Array(randomBytes(FILE_BYTES))]), 'large.bin');
  const answer = await ada.send('POST', fields, form);
  expect(answer.status, answer.text).toBe(201);
  return (JSON.parse(answer.text) as { field_id: string }).field_id;
}

const inFolder = () => readdirSync(disk.folder).filter((name) => name !== 'lost+found');

suite(named('R23: a backup fails on a disk without enough space, and older backups stay'), async () => {
  await start(DISK_MB, false);
  const first = await backUp();
  expect(first).toMatchObject({ state: 'created', error_message: null });
  for (let made = 0; made < FILES; made += 1) await addFile();
  const second = await backUp();
  expect(second).toMatchObject({ state: 'error', error_message: 'There is not enough space on the disk.' });
  expect(inFolder()).toEqual([first.file_name]);
  const download = await ada.request('GET', `/system/api/backups/${first.backup_id}/download`);
  expect(download.status).toBe(200);
  const verified = await ada.request('POST', `/system/api/backups/${first.backup_id}/verify`, {});
  expect(verified.status, verified.text).toBe(200);
});

suite(
  named('R23: vault and backups on one disk: a backup that does not fit takes no space from concurrent writers'),
  async () => {
    await start(ONE_DISK_MB, true);
    const first = await backUp();
    expect(first).toMatchObject({ state: 'created', error_message: null });
    for (let made = 0; made < MANY_FILES; made += 1) await addFile();
    const stop = new AbortController();
    const answers: number[] = [];
    let least = Infinity;
    const writing = (async () => {
      while (!stop.signal.aborted) {
        const { bavail, bsize } = statfsSync(disk.folder);
        least = Math.min(least, bavail * bsize);
        answers.push((await ada.request('POST', entries, { title: `Meanwhile ${answers.length}` })).status);
      }
    })();
    const second = await backUp().finally(() => stop.abort());
    await writing;
    expect(second).toMatchObject({ state: 'error', error_message: 'There is not enough space on the disk.' });
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.filter((status) => status !== 201)).toEqual([]);
    // The margin that must stay free.
    expect(least).toBeGreaterThan(0.05 * ONE_DISK_MB * MB);
    expect(readdirSync(join(server.dataDir, 'backups'))).toEqual([first.file_name]);
  },
);
