/**
 * An upload without enough space, a backup while the disk fills, and a start on a full disk (R61,
 * R65, T142).
 */
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, MASTER_PASSWORD, type Caller, addGroup, guestOf, passwordOf, signIn, signUp } from './testing/caller.ts';
import { type Disk, MB, canInsert, fillUp, freeOn, insertDisk } from './testing/disk.ts';
import { examine } from './testing/doctor.ts';
import { newLedger } from './testing/ledger.ts';

const hasDisk = canInsert();
const suite = hasDisk ? test : test.skip;
const named = (name: string) => (hasDisk ? name : `${name} (skipped: no file system can be mounted here)`);

let disk: Disk;
let server: RunningServer;
let ada: Caller;
let groupId: string;
let fields: string;
async function start(megabytes: number): Promise<void> {
  disk = insertDisk(megabytes);
  server = await startServer({ dataDir: join(disk.folder, 'data'), env: { LOG_LEVEL: 'warn' } });
  ada = await signUp(server);
  groupId = await addGroup(ada, 'Ledger');
  const entries = `${BASE}/entryGroups/${groupId}/entries`;
  // In its own group, so that the ledger counts only its own entries.
  const files = await addGroup(ada, 'Files');
  const path = `${BASE}/entryGroups/${files}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', path, { title: 'Files' });
  fields = `${path}/${entry_id}/fields`;
  expect((await ada.request('GET', entries)).status).toBe(200);
  await expect.poll(() => existsSync(join(server.dataDir, 'reserve')), { timeout: 20_000 }).toBe(true);
}
afterEach(async () => {
  if (!hasDisk) return;
  try {
    await server.kill();
  } finally {
    disk.remove();
  }
});

const ballast = () => join(disk.folder, 'ballast');
const stored = () => readdirSync(join(server.dataDir, 'bodies')).toSorted();

async function upload(bytes: number) {
  const form = new FormData();
  form.append('type', 'file');
  form.append('master_password', MASTER_PASSWORD);
  form.append('file', new Blob([new Uint8Array(randomBytes(bytes))]), 'large.bin');
  const { status, text } = await ada.send('POST', fields, form);
  return { status, ...(JSON.parse(text === '' ? '{}' : text) as { message?: string; field_id?: string }) };
}

/** Sends only the headers of an upload; returns the status. */
function announce(bytes: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { ...ada.headers(), 'content-type': 'multipart/form-data; boundary=x', 'content-length': bytes };
    const request = httpRequest(new URL(fields, server.origin), { method: 'POST', headers });
    request.on('error', reject);
    request.on('response', ({ statusCode }) => {
      resolve(statusCode);
      request.destroy();
    });
    request.flushHeaders();
  });
}

async function signInRevokeAndPurge(fieldId: string): Promise<void> {
  const again = await signIn(server, 'Ada');
  expect((await ada.request('DELETE', '/identity/api/sessions')).status).toBe(200);
  expect((await again.request('GET', '/identity/api/sessions')).status).toBe(401);
  const proof = { master_password: MASTER_PASSWORD };
  const { operation_id } = await ada.accepted<{ operation_id: string }>('DELETE', `${fields}/${fieldId}`, proof);
  const purged = await ada.request('DELETE', `${BASE}/trash/${operation_id}`, proof);
  expect(purged.status, purged.text).toBe(204);
}

/** Small writes run during `work`; afterwards everything acknowledged is there. */
async function besideWriters(work: () => Promise<void>, writers = 4): Promise<ReturnType<typeof newLedger>> {
  const ledger = newLedger();
  const stop = new AbortController();
  const writing = ledger.write(ada, groupId, writers, stop.signal);
  await work().finally(() => stop.abort());
  await writing;
  expect(await ledger.compare(ada, groupId)).toEqual([]);
  expect(ledger.surprises).toEqual([]);
  return ledger;
}

async function isWholeAfterKill(ledger: ReturnType<typeof newLedger>): Promise<void> {
  await server.kill();
  rmSync(ballast(), { force: true });
  await server.restart();
  expect(await ledger.compare(ada, groupId)).toEqual([]);
  await server.end();
  const { code, output } = await examine(server.dataDir);
  expect(code, output).toBe(0);
}

suite(named('an upload of 25 MiB with 20 MiB free is refused and stores nothing (R61)'), async () => {
  await start(128);
  const small = await upload(MB);
  expect(small.status).toBe(201);
  fillUp(ballast(), 20 * MB);
  const before = stored();
  const ledger = await besideWriters(async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const refused = await upload(25 * MB - 1000);
      expect(refused).toMatchObject({ status: 507, message: expect.stringContaining('no room for this (26.2 MB)') });
      expect(stored()).toEqual(before);
    }
    expect(await announce(25 * MB)).toBe(507);
    expect(stored()).toEqual(before);
    await signInRevokeAndPurge(small.field_id ?? '');
  }, 1);
  expect((await upload(4 * MB)).status).toBe(201);
  // Small writes were not affected.
  expect([...ledger.statuses.keys()].filter((status) => status >= 400)).toEqual([]);
  expect(ledger.acknowledged).toBeGreaterThan(0);
  await isWholeAfterKill(ledger);
});

interface Shown {
  readonly backup_id: string;
  readonly state: string;
  readonly file_name: string;
  readonly error_message: string | null;
}

async function backUp(meanwhile = () => {}): Promise<Shown> {
  const { backup_id } = await ada.accepted<Shown>('POST', '/system/api/backups');
  const look = () => ada.accepted<Shown>('GET', `/system/api/backups/${backup_id}`);
  const isOver = async () => {
    meanwhile();
    return !['await', 'creating'].includes((await look()).state);
  };
  await expect.poll(isOver, { timeout: 120_000, interval: 20 }).toBe(true);
  return look();
}

suite(named('a backup fails while the disk fills, and older backups stay (R65)'), async () => {
  await start(256);
  const archives = join(server.dataDir, 'backups');
  const first = await backUp();
  expect(first.state).toBe('created');
  for (let made = 0; made < 8; made += 1) expect((await upload(10 * MB)).status).toBe(201);
  const before = stored();
  const part = () => readdirSync(archives).find((name) => name.endsWith('.part'));
  let isFull = false;
  const ledger = await besideWriters(async () => {
    const second = await backUp(() => {
      const name = part();
      if (isFull || name === undefined || statSync(join(archives, name)).size < 4 * MB) return;
      fillUp(ballast());
      isFull = true;
    });
    expect(isFull).toBe(true);
    expect(second).toMatchObject({ state: 'error', error_message: 'There is not enough space on the disk.' });
    expect(readdirSync(archives)).toEqual([first.file_name]);
    expect(readdirSync(join(server.dataDir, 'backup-work'))).toEqual([]);
    expect(stored()).toEqual(before);
  });
  expect([...ledger.statuses.keys()].filter((status) => ![200, 201, 507].includes(status))).toEqual([]);
  await expect.poll(() => server.output(), { timeout: 10_000 }).toContain('The disk of DATA_DIR is nearly full');
  rmSync(ballast());
  expect((await backUp()).state).toBe('created');
  expect((await ada.request('POST', `/system/api/backups/${first.backup_id}/verify`, {})).status).toBe(200);
  await isWholeAfterKill(ledger);
});

suite(
  named('on a full disk the server starts, sign-in and purge work, and then uploads work again (T142)'),
  async () => {
    await start(128);
    const files: string[] = [];
    for (let made = 0; made < 4; made += 1) files.push((await upload(10 * MB)).field_id ?? '');
    await server.end();
    fillUp(ballast());
    await server.restart('/health');
    expect((await fetch(`${server.origin}/ready`)).status).toBe(503);
    const again = guestOf(server);
    await again.request('GET', '/sanctum/csrf-cookie');
    await again.accepted('POST', '/identity/api/login', passwordOf('Ada'));
    expect((await again.request('POST', `${BASE}/entryGroups`, { name: 'More' })).status).toBe(507);
    const proof = { master_password: MASTER_PASSWORD };
    const before = freeOn(disk.folder);
    for (const field of files) {
      const { operation_id } = await again.accepted<{ operation_id: string }>('DELETE', `${fields}/${field}`, proof);
      const purged = await again.request('DELETE', `${BASE}/trash/${operation_id}`, proof);
      expect(purged.status, purged.text).toBe(204);
    }
    // Some of it may have used the blocks reserved for root.
    expect(freeOn(disk.folder) - before).toBeGreaterThan(25 * MB);
    expect((await fetch(`${server.origin}/ready`)).status).toBe(200);
    expect((await upload(10 * MB)).status).toBe(201);
  },
);
