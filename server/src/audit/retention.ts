/** Removes audit rows older than `log_months`, behind a signed checkpoint (ADR 18). */
import type { Deps } from '../http/context.ts';
import type { Lease } from '../platform/leases/lease.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { BY_ITSELF, recordEvent } from './audit-log.ts';
import type { CheckpointSigner } from './chain/links-and-checkpoints.ts';
import {
  findCheckpoint,
  findFirstLink,
  findLink,
  monthsOnRecord,
  removeLinks,
  type StoredLink,
} from './chain/chain-repository.ts';
import { walkChain } from './chain/verify-chain.ts';

/** A batch takes well below 50 ms. */
const BATCH = 200;

type Parts = Pick<Deps, 'db' | 'clock' | 'clockWatch' | 'config' | 'newId' | 'log'>;

/** Start of the UTC day `months` calendar months ago, at most the last of that month. */
export function keptSince(now: number, months: number): Date {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(today.getUTCDate(), lastDay)));
}

/**
 * Rows are removed after it is sealed. A broken chain is kept, as evidence.
 * @param upTo the last link that all receivers have
 */
export async function writeCheckpoint(
  parts: Parts,
  lease: Lease,
  signer: CheckpointSigner,
  upTo: number,
): Promise<void> {
  const { log_months: months } = await readSiteSettings(parts);
  const now = parts.clock.now();
  if (months === 0 || !parts.clockWatch.isSettled()) return;
  if ((await monthsOnRecord(parts.db)) !== months) {
    parts.log.error(
      { event: 'audit_pruned', count: months },
      'no rows are removed from the audit log: no sealed row says that log_months was set to this; set it again',
    );
    return;
  }
  const before = keptSince(now, months);
  const first = await findFirstLink(parts.db);
  const present = await findCheckpoint(parts.db);
  // Rows of the previous checkpoint are not all removed yet.
  if (first === undefined || (present !== null && present.checkpoint.seq >= first.seq)) return;
  const last = await findLastToRemove(parts, before.getTime(), upTo);
  if (last === null) return;
  const statement = { seq: last.seq, hash: last.hash.toString('hex'), before: before.toISOString() };
  const details = { ...(await signer.sign(statement)), rows: last.seq - first.seq + 1, months };
  await parts.db.transactBeside(async (tx) => {
    await lease.confirm(tx);
    await recordEvent(tx, parts, { event_type: 'audit_pruned', actor: null, origin: BY_ITSELF, details });
  });
}

async function findLastToRemove({ db, log }: Parts, before: number, upTo: number): Promise<StoredLink | null> {
  let last: StoredLink | null = null;
  for await (const { link, damage } of walkChain(db, await findCheckpoint(db))) {
    if (damage !== null) {
      log.error(
        { event: 'audit_pruned', seq: link.seq },
        'no rows are removed from the audit log: its chain is broken; run `passwordbroker audit verify`',
      );
      return null;
    }
    if (link.seq > upTo || link.row === null || link.row.created_at >= before) return last;
    last = link;
  }
  return last;
}

/** In short transactions. */
export async function removeCovered({ db, log }: Pick<Parts, 'db' | 'log'>, lease: Lease): Promise<void> {
  const present = await findCheckpoint(db);
  if (present === null) return;
  const { seq, hash } = present.checkpoint;
  for (let first = await findFirstLink(db); first !== undefined && first.seq <= seq; first = await findFirstLink(db)) {
    const last = await findLink(db, seq);
    if (last?.hash.toString('hex') !== hash) {
      log.error(
        { event: 'audit_pruned', seq },
        'no rows are removed from the audit log: the checkpoint does not fit its chain; run `passwordbroker audit verify`',
      );
      return;
    }
    const upTo = Math.min(first.seq + BATCH - 1, seq);
    await db.transactBeside(async (tx) => {
      await lease.confirm(tx);
      await removeLinks(tx, upTo);
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
}
