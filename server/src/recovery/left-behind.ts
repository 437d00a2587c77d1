/** Removes files of killed recoveries, which hold titles and addresses outside of the database. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import { workFolder, workFolders } from '../backups/work-folder.ts';
import type { Deps } from '../http/context.ts';
import { spoolFolder } from '../http/body/spool.ts';
import { Lease } from '../platform/leases/lease.ts';

const PREFIX = 'recovery-';

export const recoveryFolder = (dataDir: string, id: string) => workFolder(dataDir, `${PREFIX}${id}`);

/** Longer than `requestTimeout`; only a recovery needs an older upload. */
const ARRIVES_WITHIN = 15 * 60_000;
const MINUTE = 60_000;

/** These files may be removed if no recovery runs in any process after this call. */
export async function listLeft(dataDir: string): Promise<readonly string[]> {
  const works = (await workFolders(dataDir)).filter((name) => name.startsWith(PREFIX));
  const left = works.map((name) => workFolder(dataDir, name));
  const spools = spoolFolder(dataDir);
  for (const name of await readdir(spools).catch(() => [])) {
    const found = await stat(join(spools, name)).catch(() => null);
    if (found !== null && found.mtimeMs < Date.now() - ARRIVES_WITHIN) left.push(join(spools, name));
  }
  return left;
}

export async function removeLeft(left: readonly string[]): Promise<void> {
  for (const path of left) await rm(path, { recursive: true, force: true });
}

/** Now and every minute. `stop` resolves when it has ended. */
export function startClearing(deps: Deps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const lease = new Lease(deps.db, 'recovery');
  const rounds = async () => {
    await clear(deps, lease);
    for await (const _ of every(MINUTE, undefined, { signal: stopping.signal, ref: false })) await clear(deps, lease);
  };
  const running = rounds().catch((error: unknown) => {
    if (!stopping.signal.aborted) deps.log.error({ error }, 'what is left of recoveries could not be removed');
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function clear({ db, config, recovery, clockWatch, log }: Deps, lease: Lease): Promise<void> {
  const left = await listLeft(config.dataDir);
  // Checked after listing: a recovery that starts now is not listed.
  if (recovery.isRunning || left.length === 0 || !clockWatch.isSettled()) return;
  try {
    // SQLite has only this process.
    if (db.dialect === 'sqlite') return await removeLeft(left);
    if (!(await lease.hold())) return;
    try {
      await removeLeft(left);
    } finally {
      await lease.release();
    }
  } catch (error) {
    log.error({ error }, 'what is left of recoveries could not be removed');
  }
}
