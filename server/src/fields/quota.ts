/** Quotas of storage, for each person and for the site (`docs/adr/0015-storage.md`). What counts is kept by the database: migration 0019. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { lockCounter } from '../db/act-locks.ts';
import type { Database, Transact } from '../db/database.ts';
import { columnOf, countRows } from '../db/packed-rows.ts';
import type { PackedRows } from '../db/packed-rows.ts';
import { readSiteLimits } from '../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { storedBy, storedByAll } from './storage-repository.ts';

const MIB = 1024 * 1024;
const COUNTED_FROM = 1024;

/** What a new revision adds to the storage of its author, in bytes. @param file of its own, or null */
export const addedBytes = (value: Uint8Array, file: { readonly size: number } | null): number =>
  (value.length > COUNTED_FROM ? value.length : 0) + (file?.size ?? 0);

/** As `addedBytes`, of several revisions of one author: a file that the revision before has too is counted once. */
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
  /** Name of the lock under which it is looked at. */
  readonly lock: string;
  readonly used: () => Promise<number>;
}

/** The quotas that are set. Their locks are taken in this order. */
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
 * Judges a revision before it is written. Holds the locks of that storage until the transaction ends.
 * @param added bytes (`addedBytes`) @throws AppError `quota_exceeded`
 */
export async function demandQuota(tx: Transact, userId: string, added: number): Promise<void> {
  if (added === 0) return;
  for (const quota of await quotasOf(tx, userId)) {
    await lockCounter(tx, quota.lock);
    const used = await quota.used();
    if (used + added > quota.limit) throw refusal(quota, used, added);
  }
}

/** As `demandQuota`, for rows that are written already. */
export async function demandQuotaOfWritten(tx: Transact, userId: string, added: number): Promise<void> {
  if (added === 0) return;
  for (const quota of await quotasOf(tx, userId)) {
    await lockCounter(tx, quota.lock);
    const used = await quota.used();
    if (used > quota.limit) throw refusal(quota, used - added, added);
  }
}

/** Before a body is read: whether a file of about that size has room at all. @param announced bytes of the whole body @throws AppError `quota_exceeded` */
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
