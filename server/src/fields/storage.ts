/** Storage quotas (ADR 15). Triggers keep the sums. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { lockCounter } from '../db/locks.ts';
import type { Database, Transact } from '../db/database.ts';
import { columnOf, countRows, type PackedRows } from '../db/bulk/packed-rows.ts';
import { readSiteLimits } from '../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { storedBy, storedByAll, removeUnnamedBodies } from './storage-repository.ts';
import type { Deps } from '../http/context.ts';
import type { StoredBody } from '../platform/storage/bodies.ts';

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

export interface BodyInHand extends StoredBody {
  /** Call in the transaction that names the body: stores it again if it was removed meanwhile. */
  keep(): Promise<void>;
}

/** Stores a body (ADR 15) and removes it if `work` throws. */
export async function withBody<T>(
  { db, bodies, log }: Pick<Deps, 'db' | 'bodies' | 'log'>,
  bytes: Uint8Array | null,
  work: (body: BodyInHand | null) => Promise<T>,
): Promise<T> {
  if (bytes === null) return work(null);
  const stored = await bodies.put(bytes);
  const keep = async () => {
    if (!(await bodies.has(stored.sha256))) await bodies.put(bytes);
  };
  try {
    return await work({ ...stored, keep });
  } catch (error) {
    await removeUnnamedBodies({ db, bodies }, [stored.sha256]).catch((failure: unknown) =>
      log.error({ error: failure }, 'File of a refused request could not be removed; the next sweep removes it'),
    );
    throw error;
  }
}

/** Limit of this site, in bytes. */
export const fileLimitOf = async (deps: Pick<Deps, 'db'>): Promise<number> =>
  (await readSiteLimits(deps)).file_mib * MIB;

interface Sized {
  readonly file_size?: number | undefined;
}

/** @throws AppError `payload_too_large` */
export async function refuseLargeFile(deps: Pick<Deps, 'db'>, { file_size = 0 }: Sized): Promise<void> {
  const limit = await fileLimitOf(deps);
  if (file_size > limit) throw new AppError('payload_too_large', { details: { limit } });
}

/** For imports, where the message must name the attachment. @param limit bytes */
export function refuseLargeAttachment(limit: number, { file_size = 0 }: Sized): void {
  if (file_size <= limit) return;
  const message = SERVER_TEXTS.attachmentTooLarge(limit / MIB);
  throw new AppError('payload_too_large', { message, details: { limit } });
}
