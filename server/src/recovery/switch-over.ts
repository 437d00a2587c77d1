/**
 * Replaces an empty database in one transaction. Files come first: a killed switch leaves only unreferenced
 * ones.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@passwordbroker/core/contract/problem';
import { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';
import { recordEvent } from '../audit/audit-log.ts';
import { asDamage } from '../backups/archive/archive-problem.ts';
import { readTable } from '../backups/run/snapshot-repository.ts';
import { BACKED_UP } from '../backups/archive/tables.ts';
import { lockVault } from '../db/locks.ts';
import type { BulkWriter, InsertRows } from '../db/bulk/writer.ts';
import type { Database } from '../db/database.ts';
import { openToRead } from '../db/open.ts';
import type { Dialect } from '../db/schema/migrate.ts';
import type { Origin, RecoveryGate } from '../http/context.ts';
import type { BodyStore } from '../platform/storage/bodies.ts';
import {
  clearWhatIsReplaced,
  hasNobody,
  indexAllEntries,
  keepSealerOut,
  leaveUnsealedToTheSealer,
  replaceChain,
} from './switch-repository.ts';
import { Lease } from '../platform/leases/lease.ts';
import { hasUsers } from '../users/user-repository.ts';

export interface SwitchJob {
  /** The restored database and `bodies`, on the disk of the data folder. */
  readonly scratchDir: string;
  readonly dialect: Dialect;
  readonly now: number;
  readonly origin: Origin;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

interface SwitchDeps {
  readonly writer: BulkWriter;
  readonly newId: () => string;
}

/** As bodies that no row references yet. */
export async function takeFilesOver({ scratchDir }: Pick<SwitchJob, 'scratchDir'>, bodies: BodyStore): Promise<void> {
  const folder = join(scratchDir, 'bodies');
  for (const name of await readdir(folder)) await bodies.adopt(join(folder, name), name);
}

/**
 * @throws AppError `forbidden` if the site has users by now, ArchiveError `damaged` for values that the
 * database refuses
 */
export async function switchOver(job: SwitchJob, { writer, newId }: SwitchDeps): Promise<void> {
  const scratch = await openToRead({ dataDir: job.scratchDir });
  try {
    await writer.transact(async (tx, insert) => {
      await lockVault(tx);
      if (!(await hasNobody(tx))) throw new AppError('forbidden', { message: BACKUP_TEXTS.notEmpty });
      await keepSealerOut(tx);
      await clearWhatIsReplaced(tx);
      await replaceChain(tx, job.dialect, () => copyAll(scratch, insert, job.now));
      await leaveUnsealedToTheSealer(tx);
      await indexAllEntries(tx);
      const event = { event_type: 'recovered', actor: null, origin: job.origin, details: job.details } as const;
      await recordEvent(tx, { clock: { now: () => job.now }, newId }, event);
    });
  } finally {
    await scratch.close();
  }
}

async function copyAll(scratch: Pick<Database, 'read'>, insert: InsertRows, now: number): Promise<void> {
  for (const { table } of BACKED_UP) {
    for await (const rows of readTable(scratch.read, table)) {
      const changed = rows.map((row) => ({ ...row, ...changesOf(table, row, now) }));
      await insert(table, changed as unknown as Parameters<InsertRows>[1]).catch((error: unknown) => {
        throw asDamage(error, table);
      });
    }
  }
}

/** Ends every former credential: sessions, tokens, invites (docs/spec/threats.md §3.1.16). */
function changesOf(table: string, row: Readonly<Record<string, unknown>>, now: number): Record<string, unknown> {
  if (table === 'users') return { epoch: Number(row['epoch']) + 1 };
  if (table === 'invites' && row['accepted_at'] === null && row['revoked_at'] === null) return { revoked_at: now };
  if (table === 'user_recovery_codes') return { restored_at: now };
  // Cursors count by the former installation's clock.
  if (table === 'user_applications') {
    return { copy_fetched_at: null, key_state: null, key_fetched_at: null };
  }
  return {};
}

/**
 * Blocks requests in every process during a recovery (docs/spec/threats.md §3.1.35). Only an empty site is
 * recovered, so the check ends once there are users.
 */
export function openGate(db: Database): RecoveryGate {
  const lease = new Lease(db, 'recovery');
  let isPeopled = db.dialect === 'sqlite';
  return {
    isRunning: false,
    async isElsewhere() {
      if (isPeopled) return false;
      isPeopled = await hasUsers(db);
      return !isPeopled && (await lease.isTaken());
    },
  };
}
