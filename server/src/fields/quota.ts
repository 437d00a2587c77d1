/** Storage quotas (ADR 15). Triggers keep the sums. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { lockCounter } from '../db/locks.ts';
import type { Database, Transact } from '../db/database.ts';
import { columnOf, countRows } from '../db/bulk/packed-rows.ts';
import type { PackedRows } from '../db/bulk/packed-rows.ts';
import { readSiteLimits } from '../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { storedBy, storedByAll } from './storage-repository.ts';

const MIB = 1024 * 1024;
const COUNTED_FROM = 1024;

/** Bytes that a revision adds to the storage of its author. */
export const addedBytes = (value: Uint8Array, file: { readonly size: number } | null): number =>
  (value.length > COUNTED_FROM ? value.length : 0) + (file?.size ?? 0);

/** Like `addedBytes` for revisions of one author; an unchanged file counts once. */
export function addedByRows(rows: PackedRows<'field_revisions'>): number {
  const fieldId = columnOf(rows, 'field_id');
  const value = columnOf(rows, 'value');
  const body = columnOf(rows, 'body_sha256');
  const size = columnOf(rows, 'body_size');
  let bytes = 0;
  for (let row = 0; row < countRows(rows); row += 1) {
    const isKept = row > 0 && fieldId(row) === fieldId(row - 1) && body(row) === body(row - 1);
    const sealed = value(row);
    const file = isKept ? null : { size: Number(size(row) ?? 0) };
    bytes += addedBytes(sealed instanceof Uint8Array ? sealed : new Uint8Array(), file);
  }
  return bytes;
}

interface Quota {
  readonly scope: 'person' | 'site';
  /** Bytes. */
  readonly limit: number;
  readonly lock: string;
  readonly used: () => Promise<number>;
}

/** Returns the configured quotas in lock order. */
async function quotasOf(read: Database['read'], userId: string): Promise<readonly Quota[]> {
  const { person_quota_mib, site_quota_mib } = await readSiteLimits({ db: { read } });
  const site = { scope: 'site', limit: site_quota_mib * MIB, lock: 'storage', used: () => storedByAll(read) } as const;
  const lock = `storage of ${userId}`;
  const person = { scope: 'person', limit: person_quota_mib * MIB, lock, used: () => storedBy(read, userId) } as const;
  return [site, person].filter(({ limit }) => limit > 0);
}

function refusal({ scope, limit }: Quota, used: number, added: number): AppError {
  const message =
    scope === 'site' ? SERVER_TEXTS.siteQuota(limit, used, added) : SERVER_TEXTS.personQuota(limit, used, added);
  return new AppError('quota_exceeded', { message, details: { scope, limit, used, added } });
}

/**
 * Locks the counters until the transaction ends.
 * @param added bytes
 * @throws AppError `quota_exceeded`
 */
export async function demandQuota(tx: Transact, userId: string, added: number): Promise<void> {
  if (added === 0) return;
  for (const quota of await quotasOf(tx, userId)) {
    await lockCounter(tx, quota.lock);
    const used = await quota.used();
    if (used + added > quota.limit) throw refusal(quota, used, added);
  }
}

/** Like `demandQuota`, for rows that are already written. */
export async function demandQuotaOfWritten(tx: Transact, userId: string, added: number): Promise<void> {
  if (added === 0) return;
  for (const quota of await quotasOf(tx, userId)) {
    await lockCounter(tx, quota.lock);
    const used = await quota.used();
    if (used > quota.limit) throw refusal(quota, used - added, added);
  }
}

/**
 * Before a request body is read, without locks.
 * @param announced bytes of the request body
 * @throws AppError `quota_exceeded`
 */
export async function refuseOverQuota(
  { read }: Pick<Database, 'read'>,
  userId: string,
  announced: number,
): Promise<void> {
  const added = announced - LIMITS.fieldJsonBytes;
  if (added <= 0) return;
  for (const quota of await quotasOf(read, userId)) {
    const used = await quota.used();
    if (used + added > quota.limit) throw refusal(quota, used, announced);
  }
}
