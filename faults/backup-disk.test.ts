/** R23: a disk that gets full during a backup: the state says so, what was written of it is gone, older backups stay, and with room again the next one is made. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server.ts';
import { BASE, MASTER_PASSWORD, type Caller, addGroup, signUp } from './testing/caller.ts';
import { type Disk, canInsert, insertDisk } from './testing/disk.ts';

const hasDisk = canInsert();
const suite = hasDisk ? test : test.skip;
const named = (name: string) => (hasDisk ? name : `${name} (skipped: no file system can be mounted here)`);
const DISK_MB = 24;
const FILE_BYTES = 10_000_000;
const FILES = 3;

let disk: Disk;
let server: RunningServer;
let ada: Caller;
let fields: string;
beforeEach(async () => {
  if (!hasDisk) return;
  disk = insertDisk(DISK_MB);
  server = await startServer({ env: { LOG_LEVEL: 'fatal', BACKUP_DIR: disk.folder } });
  ada = await signUp(server);
  const path = `${BASE}/entryGroups/${await addGroup(ada, 'Vault')}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', path, { title: 'One' });
  fields = `${path}/${entry_id}/fields`;
});
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

suite(named('R23: a disk that gets full during a backup'), async () => {
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
