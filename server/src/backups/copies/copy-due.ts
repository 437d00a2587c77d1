import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import { latestPast } from '../../platform/clock.ts';
import { Lease, LeaseLost, whileHolding } from '../../platform/leases/lease.ts';
import { listCreated } from '../backup-repository.ts';
import type { BackupRow } from '../backup-repository.ts';
import { archivePath } from '../stored-archive.ts';
import { CopyFailed } from './second-target.ts';
import { type CopyJob, CopyThread } from './copy-thread.ts';
import {
  changeCopy,
  findCopy,
  findDue,
  findRemovable,
  insertCopy,
  makeAllDue,
  postponeAll,
} from './copy-repository.ts';
import { targetName } from './copy-target.ts';
import type { CopyTarget } from './copy-target.ts';

const MINUTE = 60_000;
/** After consecutive failures; the last one repeats. */
const AGAIN_AFTER = [1, 5, 15, 60].map((minutes) => minutes * MINUTE);
const LONGEST_PAUSE = Math.max(...AGAIN_AFTER);
const REMOVE_AGAIN_AFTER = 60 * MINUTE;
/** Milliseconds without progress. */
const SILENCE = 5 * MINUTE;
const UNKNOWN = 'Something went wrong. The log says what.';
const NOWHERE = { address: '', agentHash: null, userAgent: '', client: null };

interface Options {
  readonly lease?: Lease;
  readonly thread?: CopyThread;
  readonly stopping?: AbortSignal;
  readonly silence?: number;
}

export const copyLease = (db: Deps['db']) => new Lease(db, 'backup-copies');

/** For the transaction that sets the state `created`. */
export async function queueCopy(
  tx: Transact,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  id: string,
): Promise<void> {
  if (config.backupCopy !== null) await insertCopy(tx, id, targetName(config.backupCopy), clock.now());
}

/** Queues the newest backup and retries failed copies at once. */
export async function queueAtStart(deps: Deps): Promise<void> {
  const { db, config, clock } = deps;
  if (config.backupCopy === null) return;
  const target = targetName(config.backupCopy);
  const newest = (await listCreated(db, null)).find(({ verified_at }) => verified_at !== null);
  await db.transactBeside(async (tx) => {
    if (newest !== undefined) await queueCopy(tx, deps, newest.backup_id);
    await makeAllDue(tx, target, clock.now());
  });
}

/** Makes due copies, newest first, and removes old ones. @returns how many it made */
export async function copyDue(deps: Deps, options: Options = {}): Promise<number> {
  const { db, config, clock } = deps;
  const { lease = copyLease(db), thread = new CopyThread(), stopping, silence = SILENCE } = options;
  if (config.backupCopy === null) return 0;
  const round: Round = {
    deps,
    lease,
    thread,
    silence,
    config: config.backupCopy,
    target: targetName(config.backupCopy),
  };
  const nextDue = () => {
    const now = clock.now();
    return findDue(db.read, round.target, { now, latest: latestPast(now + LONGEST_PAUSE) });
  };
  const nextRemovable = () => findRemovable(db.read, round.target, clock.now());
  if ((await nextDue()) === undefined && (await nextRemovable()) === undefined) return 0;
  if (!(await lease.hold())) return 0;
  let copied = 0;
  try {
    await whileHolding(
      lease,
      async (signal) => {
        for (let row = await nextDue(); row !== undefined; row = await nextDue()) {
          if (await copyOne(round, row, signal)) copied += 1;
        }
        for (let row = await nextRemovable(); row !== undefined; row = await nextRemovable()) {
          await removeOne(round, row, signal);
        }
      },
      stopping,
    );
  } finally {
    await lease.release();
  }
  return copied;
}

interface Round {
  readonly deps: Deps;
  readonly lease: Lease;
  readonly thread: CopyThread;
  readonly silence: number;
  readonly config: CopyTarget;
  readonly target: string;
}

/** @throws LeaseLost, or the abort reason of `signal` */
async function copyOne(round: Round, backup: BackupRow, signal: AbortSignal): Promise<boolean> {
  const { deps, target } = round;
  const { clock } = deps;
  const key = { backup_id: backup.backup_id, target };
  const source = archivePath(deps, backup);
  const expected = { size: backup.size, sha256: backup.sha256 };
  const attempts = ((await findCopy(deps.db.read, backup.backup_id, target))?.attempts ?? 0) + 1;
  await change(round, (tx) => changeCopy(tx, key, { state: 'copying', attempts, updated_at: clock.now() }));
  try {
    await run(round, { kind: 'copy', source, expected, ...jobOf(round, backup) }, signal);
  } catch (error) {
    if (error instanceof LeaseLost || signal.aborted) {
      await change(round, (tx) => changeCopy(tx, key, { state: 'waiting', attempts: attempts - 1 })).catch(() => {});
      throw error;
    }
    await fail(round, backup, { attempts, failure: failureOf(deps, error) });
    return false;
  }
  const now = clock.now();
  await change(round, async (tx) => {
    const done = { state: 'copied', due_at: null, error_message: null, copied_at: now, deleted_at: null } as const;
    await changeCopy(tx, key, { ...done, updated_at: now });
    await tell(tx, round, 'backup_copied', backup);
  });
  return true;
}

/** Delays all copies, unless only this archive is at fault. */
async function fail(
  round: Round,
  backup: BackupRow,
  { attempts, failure }: { readonly attempts: number; readonly failure: CopyFailed },
): Promise<void> {
  const { deps, target } = round;
  const now = deps.clock.now();
  const wait = AGAIN_AFTER[Math.min(attempts, AGAIN_AFTER.length) - 1] ?? MINUTE;
  const key = { backup_id: backup.backup_id, target };
  deps.log.warn({ event: 'backup_copy', count: attempts, error: failure }, 'a backup could not be copied');
  await change(round, async (tx) => {
    const due_at = failure.isFinal ? null : now + wait;
    await changeCopy(tx, key, { state: 'failed', due_at, error_message: failure.message, updated_at: now });
    if (due_at !== null) await postponeAll(tx, target, due_at);
    if (attempts === 1) await tell(tx, round, 'backup_copy_failed', backup);
  });
}

async function removeOne(round: Round, backup: BackupRow, signal: AbortSignal): Promise<void> {
  const { deps, target } = round;
  const key = { backup_id: backup.backup_id, target };
  try {
    await run(round, { kind: 'remove', ...jobOf(round, backup) }, signal);
  } catch (error) {
    if (error instanceof LeaseLost || signal.aborted) throw error;
    const failure = failureOf(deps, error);
    deps.log.warn(
      { event: 'backup_copy', error: failure },
      'Old copy of a backup could not be removed from the second target; it is retried',
    );
    const now = deps.clock.now();
    const changes = { due_at: now + REMOVE_AGAIN_AFTER, error_message: failure.message, updated_at: now };
    await change(round, (tx) => changeCopy(tx, key, changes));
    return;
  }
  const now = deps.clock.now();
  const gone = { state: 'deleted', due_at: null, error_message: null, deleted_at: now, updated_at: now } as const;
  await change(round, (tx) => changeCopy(tx, key, gone));
}

type JobPart = Pick<CopyJob, 'target' | 'id' | 'name'>;
const jobOf = ({ config }: Round, { backup_id, file_name }: BackupRow): JobPart => ({
  target: config,
  id: backup_id,
  name: file_name,
});

const run = ({ thread, silence }: Round, job: CopyJob, signal: AbortSignal) => thread.run(job, { signal, silence });

const change = ({ deps, lease }: Round, work: (tx: Transact) => Promise<void>) =>
  deps.db.transact(async (tx) => {
    await lease.confirm(tx);
    await work(tx);
  });

function failureOf({ log }: Pick<Deps, 'log'>, error: unknown): CopyFailed {
  if (error instanceof CopyFailed) return error;
  log.error({ event: 'backup_copy', error }, 'a backup could not be copied');
  return new CopyFailed(UNKNOWN, 'unknown');
}

const tell = (
  tx: Transact,
  { deps, config }: Round,
  event_type: 'backup_copied' | 'backup_copy_failed',
  backup: BackupRow,
) =>
  recordEvent(tx, deps, {
    event_type,
    actor: null,
    origin: NOWHERE,
    target_type: 'backup',
    target_id: backup.backup_id,
    details: { second_target: config.kind, encrypted: backup.has_password === 1 },
  });
