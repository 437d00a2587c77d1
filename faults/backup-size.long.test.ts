/**
 * R25: a backup with 50,000 fields and gigabytes of files is streamed: memory is bounded for any
 * size, and other requests are served meanwhile. Uses 10 GB if the disk has space for three copies,
 * otherwise what fits; `BACKUP_GB` overrides it. Prints the measurements.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, MASTER_PASSWORD, type Caller, addGroup, signUp } from './testing/caller.ts';
import { BODY_BYTES, addLargeFiles } from './testing/large-files.ts';
import { peakDuring } from './testing/watched.ts';

const CLI = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));
const GB = 1_000_000_000;
const FIELDS = 50_000;
const WANTED_GB = 10;
/** Files, archive and restored files; and the share of the disk to keep free. */
const COPIES = 3;
const LEFT_FREE = 0.1;
const MOST_MEMORY_MB = 300;
/** Memory of scrypt for about a second before the first byte is opened; a backup needs no password. */
const SCRYPT_MB = 256;
const MOST_P95_MS = 1000;
const ARCHIVE_PASSWORD = 'gigabytes of files';

let server: RunningServer | null = null;
const recovered = mkdtempSync(join(tmpdir(), 'passwordbroker-recovered-'));
afterEach(async () => {
  await server?.stop();
  rmSync(recovered, { recursive: true, force: true });
});

async function gigabytes(): Promise<number> {
  const asked = process.env['BACKUP_GB'];
  if (asked !== undefined) return Number(asked);
  const { bavail, blocks, bsize } = await statfs(tmpdir());
  const place = ((bavail - blocks * LEFT_FREE) * bsize) / COPIES / GB;
  return Math.max(0.2, Math.min(WANTED_GB, Math.floor(place * 10) / 10));
}

/** A server with one file field, filled while stopped, and started again. */
async function largeServer(bodies: number): Promise<readonly [RunningServer, Caller]> {
  const started = await startServer({ env: { LOG_LEVEL: 'fatal' } });
  const ada = await signUp(started);
  const path = `${BASE}/entryGroups/${await addGroup(ada, 'Vault')}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', path, { title: 'One' });
  const form = new FormData();
  form.append('type', 'file');
  form.append('master_password', MASTER_PASSWORD);
  form.append('file', new Blob(['content']), 'small.txt');
  expect((await ada.send('POST', `${path}/${entry_id}/fields`, form)).status).toBe(201);
  const settings = { schedule: [3], enable: false, email_enable: false, archive_password: ARCHIVE_PASSWORD };
  await ada.accepted('POST', '/system/api/setting/backupSetting/backup', settings);
  await started.end();
  await addLargeFiles(started.dataDir, { bodies, fields: FIELDS });
  await started.restart();
  return [started, ada];
}

interface Shown {
  readonly state: string;
  readonly size: number | null;
  readonly error_message: string | null;
  readonly file_name: string;
  readonly counts: Readonly<Record<string, number>> | null;
}

/**
 * Calls `me` every 50 ms and sometimes reads the backup's state. Returns the backup and the
 * latencies in milliseconds.
 */
async function untilMade(ada: Caller): Promise<{ readonly backup: Shown; readonly waits: readonly number[] }> {
  const { backup_id } = await ada.accepted<{ backup_id: string }>('POST', '/system/api/backups');
  const waits: number[] = [];
  for (;;) {
    for (let asked = 0; asked < 10; asked += 1) {
      const started = performance.now();
      await ada.accepted('GET', '/identity/api/me');
      waits.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const backup = await ada.accepted<Shown>('GET', `/system/api/backups/${backup_id}`);
    if (backup.state === 'created' || backup.state === 'error') return { backup, waits };
  }
}

/** Runs `backup restore` into an empty folder in its own process. */
async function restore(archive: string): Promise<{ readonly peak: number; readonly code: number | null }> {
  const env = { ...process.env, DATA_DIR: recovered };
  const child = spawn(process.execPath, [CLI, 'backup', 'restore', archive, '--password-stdin'], { env });
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  child.stdin.end(`${ARCHIVE_PASSWORD}\n`);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const { peak, value } = await peakDuring(child.pid ?? 0, () => ended);
  expect(told).toBe('');
  return { peak, code: value };
}

test('R25: backup and recovery of gigabytes of files and 50,000 fields use bounded memory', async () => {
  const wanted = await gigabytes();
  const bodies = Math.ceil((wanted * GB) / BODY_BYTES);
  const [started, ada] = await largeServer(bodies);
  server = started;
  const began = performance.now();
  const making = await peakDuring(started.pid(), () => untilMade(ada));
  const seconds = (performance.now() - began) / 1000;
  const { backup, waits } = making.value;
  expect(backup).toMatchObject({ state: 'created', error_message: null });
  expect(backup.counts).toMatchObject({ fields: FIELDS + 1, files: bodies + 1 });
  const p95 = waits.toSorted((one, other) => one - other)[Math.floor(waits.length * 0.95)] ?? 0;
  const archive = join(started.dataDir, 'backups', backup.file_name);
  expect(statSync(archive).size).toBe(backup.size);
  const restoreBegan = performance.now();
  const restored = await restore(archive);
  const restoreSeconds = (performance.now() - restoreBegan) / 1000;
  console.info(
    `R25: ${wanted} GB in ${bodies} files, ${FIELDS} fields: made and proven in ${seconds.toFixed(0)} s with ` +
      `${making.peak.toFixed(0)} MB at most, others p95 ${p95.toFixed(0)} ms; recovered in ${restoreSeconds.toFixed(0)} s with ` +
      `${restored.peak.toFixed(0)} MB at most, ${SCRYPT_MB} of them for the password`,
  );
  expect(restored.code).toBe(0);
  expect(making.peak).toBeLessThan(MOST_MEMORY_MB);
  expect(restored.peak - SCRYPT_MB).toBeLessThan(MOST_MEMORY_MB);
  expect(p95).toBeLessThan(MOST_P95_MS);
});
