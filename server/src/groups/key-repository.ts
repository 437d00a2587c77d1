import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database, Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';

export interface NewGroupKeyRows {
  readonly key: Tables['group_keys'];
  readonly grants: readonly Tables['group_grants'][];
  readonly roster: Tables['group_rosters'] | null;
}

export async function insertGroupKey(tx: Transact, { key, grants, roster }: NewGroupKeyRows): Promise<void> {
  await tx.insertInto('group_keys').values(key).execute();
  for (const portion of portions(grants)) await tx.insertInto('group_grants').values(portion).execute();
  if (roster !== null) await tx.insertInto('group_rosters').values(roster).execute();
}

const MOST_ROSTERS = 10_000;

/** Ascending from `from`, at most the newest 10,000; only the newest without `from`. */
export async function listRosterRows(db: Database, groupId: string, from: number | undefined) {
  const rows = await db.read
    .selectFrom('group_rosters')
    .selectAll()
    .where('entry_group_id', '=', groupId)
    .where('seq', '>=', from ?? 0)
    .orderBy('seq', 'desc')
    .limit(from === undefined ? 1 : MOST_ROSTERS)
    .execute();
  return rows.toReversed();
}

/** Like `listRosterRows`, with signer certificates. */
export async function listRosters(db: Database, groupId: string, from: number | undefined) {
  const rows = await listRosterRows(db, groupId, from);
  const fingerprints = [...new Set(rows.map((row) => row.signer_fpr))];
  if (fingerprints.length === 0) return [];
  const certificates = await db.read
    .selectFrom('user_certificates')
    .selectAll()
    .where('fpr', 'in', fingerprints)
    .execute();
  const byFingerprint = new Map(certificates.map((certificate) => [certificate.fpr, certificate]));
  return rows.map((row) => ({ ...row, certificate: byFingerprint.get(row.signer_fpr) ?? null }));
}

export async function listOwnGrants(db: Database, groupId: string, userId: string) {
  return db.read
    .selectFrom('group_grants')
    .selectAll()
    .where('entry_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .orderBy('gk_version')
    .execute();
}

const READS = 5;

/**
 * Reads again if key or roster changed meanwhile, so the result is consistent.
 * @throws AppError `not_found`; `unavailable` after five reads
 */
export async function undisturbed<T>(
  db: Database,
  groupId: string,
  read: (group: Pick<Tables['entry_groups'], 'gk_version' | 'origin' | 'roster_seq'>) => Promise<T>,
): Promise<T> {
  let before = await findKeyState(db, groupId);
  for (let reads = 1; ; reads += 1) {
    if (before === undefined) throw new AppError('not_found');
    const value = await read(before);
    const after = await findKeyState(db, groupId);
    const isSame = after?.gk_version === before.gk_version && after.roster_seq === before.roster_seq;
    if (isSame) return value;
    if (reads === READS) throw new AppError('unavailable', { retryAfter: 1 });
    before = after;
  }
}

function findKeyState(db: Database, groupId: string) {
  return db.read
    .selectFrom('entry_groups')
    .select(['gk_version', 'origin', 'roster_seq'])
    .where('entry_group_id', '=', groupId)
    .executeTakeFirst();
}
