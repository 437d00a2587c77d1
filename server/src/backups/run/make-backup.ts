import type { Deps } from '../../http/context.ts';
import { Lease, whileHolding } from '../../platform/leases/lease.ts';
import { listUnfinished, removeAttempts, removeUnrecorded } from './attempt-files.ts';
import { changeBackup, findBackup, listInState } from '../backup-repository.ts';
import type { BackupRow } from '../backup-repository.ts';
import { makeOne, tell } from './make-one.ts';
import { removeSurplus } from '../retention.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';

const ATTEMPTS = 3;

export const backupLease = (db: Deps['db']) => new Lease(db, 'backups');

/** Makes waiting backups, in one process at a time; returns how many. */
export async function makeWaiting(deps: Deps, lease = backupLease(deps.db), stopping?: AbortSignal): Promise<number> {
  if (!(await hasWork(deps))) return 0;
  return makeEach(deps, lease, async () => (await listInState(deps.db.read, 'await', 1))[0], stopping);
}

/** Makes only this backup, if the lease is free. */
export async function makeAsked(deps: Deps, id: string): Promise<void> {
  const find = async () => findBackup(deps.db.read, id);
  const state = (await find())?.state;
  if (state !== 'await' && state !== 'creating') return;
  await makeEach(deps, backupLease(deps.db), async () => {
    const row = await find();
    return row?.state === 'await' ? row : undefined;
  });
}

async function makeEach(
  deps: Deps,
  lease: Lease,
  findNext: () => Promise<BackupRow | undefined>,
  stopping?: AbortSignal,
): Promise<number> {
  if (!(await lease.hold())) return 0;
  let made = 0;
  try {
    await whileHolding(
      lease,
      async (signal) => {
        for (const row of await listInState(deps.db.read, 'creating', 100)) await takeUp(deps, lease, row);
        await removeRemains(deps);
        for (;;) {
          signal.throwIfAborted();
          const next = await findNext();
          if (next === undefined) break;
          await makeOne(deps, lease, next.backup_id, signal);
          made += 1;
        }
        await removeSurplus(deps, lease);
      },
      stopping,
    );
  } finally {
    await lease.release();
  }
  return made;
}

async function hasWork({ db }: Deps): Promise<boolean> {
  const [waiting, left] = await Promise.all([listInState(db.read, 'await', 1), listInState(db.read, 'creating', 1)]);
  return waiting.length + left.length > 0;
}

/** The folder may be shared with other sites. */
async function removeRemains(deps: Deps): Promise<void> {
  for (const id of await listUnfinished(deps)) {
    if ((await findBackup(deps.db.read, id)) !== undefined) await removeAttempts(deps, id);
  }
}

/** The lease is held, so its former process is dead or has lost it. */
async function takeUp(deps: Deps, lease: Lease, { backup_id: id }: BackupRow): Promise<void> {
  await deps.db.transact(async (tx) => {
    await lease.confirm(tx);
    const row = await findBackup(tx, id);
    if (row?.state !== 'creating') return;
    // It may have published the archive unrecorded.
    await removeUnrecorded(deps, id);
    const isHopeless = row.attempts >= ATTEMPTS;
    const changes = isHopeless
      ? ({ state: 'error', error_message: SERVER_TEXTS.backupInterrupted } as const)
      : ({ state: 'await' } as const);
    const after = { ...changes, progress: null, updated_at: deps.clock.now() };
    await changeBackup(tx, id, after);
    if (isHopeless) await tell(tx, deps, 'backup_failed', { ...row, ...after });
  });
  await removeAttempts(deps, id);
}
