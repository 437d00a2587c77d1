/**
 * Backup and recovery through the whole server: 5,000 entries with history and files, or `--files <GB>` of large
 * files, for which memory must not grow. Memory is that of the whole process, sampled during the work.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { changeSettings, create, get } from '@passwordbroker/core/contract/site/backups';
import { me } from '@passwordbroker/core/contract/account/session';
import { makeWaiting } from '../../server/src/backups/run/make-backup.ts';
import { enlarge } from '../../server/src/backups/testing/large-vault.ts';
import { fillVault } from '../../server/src/backups/testing/vault.ts';
import { recoverFrom } from '../../server/src/recovery/recover.ts';
import { startTestApp } from '../../server/src/testing/test-app.ts';
import type { SignedIn, TestApp } from '../../server/src/testing/test-app.ts';
import { memoryOf } from '../tools/process.ts';
import { percentile, printTable } from '../tools/table.ts';

const ENTRIES = 5_000;
const FILES = 200;
const MB = 1_000_000;
const PASSWORD = 'the archive password';

interface Measured {
  readonly seconds: number;
  /** Megabytes, in addition to those before the work. */
  readonly memory: number;
  /** Latency of a request that is repeated during the work. */
  readonly p95: number;
}

/** Runs the work while a client calls `/me` every 50 ms. */
async function measured(person: SignedIn | null, work: () => Promise<unknown>): Promise<Measured> {
  const before = (await memoryOf(process.pid)).now;
  const times: number[] = [];
  let peak = before;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const started = performance.now();
      if (person !== null) await person.call(me);
      times.push(performance.now() - started);
      peak = Math.max(peak, (await memoryOf(process.pid)).now);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  isOver = true;
  await watching;
  return { seconds, memory: peak - before, p95: percentile(times, 0.95) };
}

async function run(title: string, size: Parameters<typeof enlarge>[2]): Promise<void> {
  const app = await startTestApp();
  const vault = await fillVault(app);
  await enlarge(app, vault, size);
  const rows: Record<string, string | number>[] = [];
  for (const password of ['', PASSWORD]) rows.push(...(await backUpAndRecover(app, vault.ada, password)));
  printTable(title, rows);
  await app.stop();
}

async function backUpAndRecover(app: TestApp, ada: SignedIn, password: string) {
  const settings = { schedule: [3], enable: false, email_enable: false, archive_password: password };
  await ada.call(changeSettings, { body: settings });
  const { backup_id: id } = await ada.call(create);
  const made = await measured(ada, () => makeWaiting(app.deps));
  const backup = await ada.call(get, { params: { id } });
  if (backup.state !== 'created') throw new Error(backup.error_message ?? backup.state);
  const path = join(app.deps.config.backupDir, backup.file_name);
  const size = (await stat(path)).size / MB;
  const other = await startTestApp();
  const origin = { address: '127.0.0.1', agentHash: null, userAgent: '', client: null };
  const job = { path, password: password === '' ? null : password, origin };
  const recovered = await measured(null, () => recoverFrom(other.deps, job));
  await other.stop();
  await rm(path);
  const kind = password === '' ? 'plain' : 'encrypted';
  const rowOf = (what: string, { seconds, memory, p95 }: Measured) => ({
    what: `${what}, ${kind}`,
    'archive MB': size,
    seconds,
    'MB/s': size / seconds,
    'memory MB': memory,
    'p95 ms': Number.isNaN(p95) || what === 'recovery' ? '' : p95,
  });
  return [rowOf('backup with proof', made), rowOf('recovery', recovered)];
}

const at = process.argv.indexOf('--files');
if (at === -1) {
  const size = { entries: ENTRIES, files: FILES, fileBytes: 100_000 };
  await run(`${ENTRIES} entries of two revisions, ${FILES} files of 100 kB`, size);
} else {
  const gigabytes = Number(process.argv[at + 1] ?? 1);
  await run(`${gigabytes} GB of files of 20 MB`, { entries: 100, files: gigabytes * 50, fileBytes: 20 * MB });
}
