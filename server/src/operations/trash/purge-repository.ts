/** Deletes rows in small batches, so that other writers do not wait. */
import type { Purge } from '@passwordbroker/core/contract/entries/operations';
import { sql } from 'kysely';
import type { Database, Transact } from '../../db/database.ts';
import { portions } from '../../db/portions.ts';
import { updateGroupPlace } from './subtree-repository.ts';

const FIELDS = 400;
const ENTRIES = 100;
const GROUPS = 50;
/** Bytes; on a full disk the write-ahead log needs room for deleted pages. */
const VALUE_BYTES = 256 * 1024;

export interface Purged {
  readonly rows: number;
  /** Names of the bodies of deleted revisions. */
  readonly bodies: readonly string[];
  /** Ids of operations that had deleted something inside. */
  readonly operationIds: readonly string[];
}

export async function purgeFields(tx: Transact, operationId: string): Promise<Purged> {
  const fields = await tx
    .selectFrom('fields')
    .select('field_id')
    .where('trashed_by', '=', operationId)
    .limit(FIELDS)
    .execute();
  const { rows, bodies } = await deleteSomeFields(
    tx,
    fields.map(({ field_id }) => field_id),
  );
  return { rows, bodies, operationIds: [] };
}

/** Deletes entries, or a batch of their fields. */
export async function purgeEntries(tx: Transact, operationId: string): Promise<Purged> {
  const own = await tx
    .selectFrom('entries')
    .select(['entry_id', 'trashed_by'])
    .where('trashed_by', '=', operationId)
    .limit(ENTRIES)
    .execute();
  const entries = own.length > 0 ? own : await entriesInGroupsOf(tx, operationId);
  const ids = entries.map(({ entry_id }) => entry_id);
  if (ids.length === 0) return { rows: 0, bodies: [], operationIds: [] };
  const fields = await tx
    .selectFrom('fields')
    .select(['field_id', 'trashed_by'])
    .where('entry_id', 'in', ids)
    .limit(FIELDS)
    .execute();
  const { rows, bodies, isAll } = await deleteSomeFields(
    tx,
    fields.map(({ field_id }) => field_id),
  );
  // `removeForGood` deletes those that are empty at the end.
  const operationIds = [...entries, ...fields].flatMap(({ trashed_by }) => trashed_by ?? []);
  if (!isAll || fields.length === FIELDS) return { rows, bodies, operationIds };
  await tx.deleteFrom('entry_search').where('entry_id', 'in', ids).execute();
  await tx.deleteFrom('entries').where('entry_id', 'in', ids).execute();
  await forget(tx, ids);
  return { rows: ids.length, bodies, operationIds };
}

function entriesInGroupsOf(tx: Transact, operationId: string) {
  return tx
    .selectFrom('entry_groups')
    .innerJoin('entries', 'entries.entry_group_id', 'entry_groups.entry_group_id')
    .select(['entries.entry_id', 'entries.trashed_by'])
    .where('entry_groups.trashed_by', '=', operationId)
    .limit(ENTRIES)
    .execute();
}

/** Deepest first. Groups below that were deleted earlier become roots, so that they can be restored. */
export async function purgeGroups(tx: Transact, operationId: string): Promise<Purged> {
  const groups = await tx
    .selectFrom('entry_groups')
    .select('entry_group_id')
    .where('trashed_by', '=', operationId)
    .orderBy((eb) => eb.fn('length', ['materialized_path']), 'desc')
    .limit(GROUPS)
    .execute();
  const ids = groups.map(({ entry_group_id }) => entry_group_id);
  if (ids.length === 0) return { rows: 0, bodies: [], operationIds: [] };
  const orphans = await tx
    .selectFrom('entry_groups')
    .select(['entry_group_id', 'materialized_path'])
    .where('parent_entry_group_id', 'in', ids)
    .where('trashed_by', 'is distinct from', operationId)
    .execute();
  for (const { entry_group_id, materialized_path } of orphans) {
    await updateGroupPlace(tx, {
      groupId: entry_group_id,
      parentId: null,
      from: materialized_path,
      to: entry_group_id,
    });
  }
  await tx.deleteFrom('entry_groups').where('entry_group_id', 'in', ids).execute();
  await forget(tx, ids);
  return { rows: ids.length, bodies: [], operationIds: [] };
}

interface Deleted {
  readonly rows: number;
  readonly bodies: readonly string[];
  /** True if no field is left. */
  readonly isAll: boolean;
}

/** Deletes up to `VALUE_BYTES`; of a larger field it deletes the oldest revisions first. */
async function deleteSomeFields(tx: Transact, all: readonly string[]): Promise<Deleted> {
  const ids = all.slice(0, FIELDS);
  if (ids.length === 0) return { rows: 0, bodies: [], isAll: true };
  const sizes = await tx
    .selectFrom('field_revisions')
    .select(['field_id', (eb) => sql<number>`sum(length(${eb.ref('value')}))`.as('bytes')])
    .where('field_id', 'in', ids)
    .groupBy('field_id')
    .execute();
  const bytesOf = new Map(sizes.map(({ field_id, bytes }) => [field_id, Number(bytes)]));
  const chosen = within(ids, (id) => bytesOf.get(id) ?? 0);
  const [first] = chosen;
  if (chosen.length > 1 || first === undefined || (bytesOf.get(first) ?? 0) <= VALUE_BYTES) {
    return { rows: chosen.length, bodies: await deleteFields(tx, chosen), isAll: chosen.length === all.length };
  }
  const older = await tx
    .selectFrom('field_revisions')
    .innerJoin('fields', 'fields.field_id', 'field_revisions.field_id')
    .select(['field_revisions.rev', (eb) => sql<number>`length(${eb.ref('field_revisions.value')})`.as('bytes')])
    .where('field_revisions.field_id', '=', first)
    .whereRef('field_revisions.rev', '<', 'fields.rev')
    .orderBy('field_revisions.rev')
    .execute();
  if (older.length === 0) return { rows: 1, bodies: await deleteFields(tx, [first]), isAll: all.length === 1 };
  const revs = within(older, ({ bytes }) => Number(bytes)).map(({ rev }) => rev);
  const last = revs.at(-1) ?? 0;
  const bodies = await bodiesOf(tx, [first], last);
  await tx.deleteFrom('field_revisions').where('field_id', '=', first).where('rev', '<=', last).execute();
  return { rows: revs.length, bodies, isAll: false };
}

/** Returns the longest prefix below `VALUE_BYTES`, but at least one element. */
function within<T>(all: readonly T[], bytesOf: (one: T) => number): readonly T[] {
  let bytes = 0;
  const count = all.findIndex((one) => (bytes += bytesOf(one)) > VALUE_BYTES);
  return count === -1 ? all : all.slice(0, Math.max(1, count));
}

/** Returns the names of their bodies. */
async function deleteFields(tx: Transact, ids: readonly string[]): Promise<readonly string[]> {
  const bodies = await bodiesOf(tx, ids);
  await tx.deleteFrom('field_history').where('field_id', 'in', ids).execute();
  await tx.deleteFrom('field_revisions').where('field_id', 'in', ids).execute();
  await tx.deleteFrom('fields').where('field_id', 'in', ids).execute();
  await forget(tx, ids);
  return bodies;
}

/** @param last only up to this revision */
async function bodiesOf(tx: Transact, ids: readonly string[], last?: number): Promise<readonly string[]> {
  const bodies = await tx
    .selectFrom('field_revisions')
    .select('body_sha256')
    .distinct()
    .where('field_id', 'in', ids)
    .where('body_sha256', 'is not', null)
    .$if(last !== undefined, (query) => query.where('rev', '<=', last ?? 0))
    .execute();
  return bodies.flatMap(({ body_sha256 }) => body_sha256 ?? []);
}

/**
 * Deletes their operations, which contain titles. Request digests stay, so that a repeated request creates
 * nothing.
 */
async function forget(tx: Transact, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('operations').where('target_id', 'in', ids).where('kind', '!=', 'delete').execute();
}

/** Deletes those that have nothing left in the trash. */
export async function deleteEmptyOperations(tx: Transact, operationIds: readonly string[]): Promise<void> {
  const usedIn = (table: 'entry_groups' | 'entries' | 'fields') =>
    tx.selectFrom(table).select('trashed_by').where('trashed_by', 'in', operationIds);
  const used = await usedIn('entry_groups').union(usedIn('entries')).union(usedIn('fields')).execute();
  const inUse = new Set(used.map(({ trashed_by }) => trashed_by));
  const empty = operationIds.filter((id) => !inUse.has(id));
  if (empty.length > 0) await tx.deleteFrom('operations').where('operation_id', 'in', empty).execute();
}

/** Operations that cannot be undone are deleted, because they contain old titles. */
export async function deleteExpiredOperations(tx: Transact, now: number): Promise<void> {
  await tx
    .deleteFrom('operations')
    .where('kind', 'in', ['create', 'move', 'rename', 'restore'])
    .where((eb) => eb.or([eb('undone_at', 'is not', null), eb('undo_until', 'is', null), eb('undo_until', '<=', now)]))
    .execute();
  await tx
    .deleteFrom('imported_rows')
    .where('operation_id', 'in', (eb) =>
      eb
        .selectFrom('operations')
        .select('operation_id')
        .where((own) => own.or([own('undone_at', 'is not', null), own('undo_until', '<=', now)])),
    )
    .execute();
}

export async function expire(tx: Transact, operationIds: readonly string[], now: number): Promise<void> {
  for (const portion of portions(operationIds))
    await tx.updateTable('operations').set({ undo_until: now }).where('operation_id', 'in', portion).execute();
}

/** Also counts earlier deletions inside. */
export async function countForPurge(
  reader: Database['read'] | Transact,
  operationIds: readonly string[],
): Promise<Purge['counts']> {
  if (operationIds.length === 0) return { entry_groups: 0, entries: 0, fields: 0, files: 0 };
  const groups = reader.selectFrom('entry_groups').where('trashed_by', 'in', operationIds);
  const entries = reader
    .selectFrom('entries')
    .where((eb) =>
      eb.or([eb('trashed_by', 'in', operationIds), eb('entry_group_id', 'in', groups.select('entry_group_id'))]),
    );
  const fields = reader
    .selectFrom('fields')
    .where((eb) => eb.or([eb('trashed_by', 'in', operationIds), eb('entry_id', 'in', entries.select('entry_id'))]));
  const [ofGroups, ofEntries, byType] = await Promise.all([
    groups.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    entries.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    fields
      .select((eb) => ['type', eb.fn.countAll<number>().as('count')] as const)
      .groupBy('type')
      .execute(),
  ]);
  const countOf = (rows: typeof byType) => rows.reduce((sum, { count }) => sum + Number(count), 0);
  return {
    entry_groups: Number(ofGroups.count),
    entries: Number(ofEntries.count),
    fields: countOf(byType),
    files: countOf(byType.filter(({ type }) => type === 'file')),
  };
}

/** Oldest first. */
export async function listExpired(tx: Transact, now: number, limit: number) {
  return tx
    .selectFrom('operations')
    .select(['operation_id', 'target_kind', 'target_id'])
    .where('undone_at', 'is', null)
    .where('undo_until', '<=', now)
    .where('kind', '=', 'delete')
    .orderBy('undo_until')
    .limit(limit)
    .execute();
}
