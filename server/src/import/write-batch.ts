import { AppError } from '@passwordbroker/core/contract/problem';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { monotonicIds } from '@passwordbroker/core/domain/import/import-fields';
import { recordEvent } from '../audit/audit-log.ts';
import type { InsertRows } from '../db/bulk/writer.ts';
import type { Transact } from '../db/database.ts';
import {
  countRows,
  countWithin,
  joinRows,
  packRows,
  rowsBetween,
  unpackRows,
  valuesIn,
  type PackedRows,
} from '../db/bulk/packed-rows.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';
import { indexEntries, type searchRowOf } from '../db/text-search/search-index.ts';
import { hashOfRow } from '../groups/signed-roster.ts';
import { demandQuota, demandQuotaOfWritten } from '../fields/storage.ts';
import { insertCreatedRequest } from '../http/answer/created-request-repository.ts';
import { asOperation, undoImportUntil, type OperationRow, insertOperation } from '../operations/journal.ts';
import type { BodyStore } from '../platform/storage/bodies.ts';
import { sha256 } from '../platform/ids-and-digests.ts';
import { recordUse } from '../server-crypto/master-password-use.ts';
import { noteRoles } from '../notices/member-notices.ts';
import type { RowsHead } from './checked-rows.ts';
import { intoDetail, requestId, type SeenTargets } from './into/into-head.ts';
import { judgeEntries, judgeTargets, requireSameMembers } from './into/judge-into.ts';
import { detailsInto, importedRows, type LateRows, placeStaged, rolesGiven, writeLate } from './into/write-into.ts';
import type { ImportAnswer, JobParts } from './import-job.ts';
import {
  endStaging,
  insertStaged,
  listVisibleRootNames,
  readKeysetVersion,
  showImport,
  TREE_DETAIL,
} from './import-repository.ts';
import type { WaitingPortions } from './portion-bytes.ts';

/** Trees that the server names: `keepass`, `keepass (2)`, … */
export const TREE_NAME = 'keepass';

interface Batch {
  readonly job: JobParts;
  readonly head: RowsHead;
  /** Bytes that count for the importer's quota. */
  readonly stored: number;
}

export interface BegunBatch extends Batch {
  /** Of a tree, or the existing group. */
  readonly rootId: string;
  readonly name: string;
  /** What an import into existing groups has seen when it began. */
  readonly seen: SeenTargets | null;
}

/** Takes about 10 ms at most; returns the number of rows. */
export type Step = (tx: Transact, insert: InsertRows) => Promise<number>;

export interface Written {
  readonly fields: number;
  readonly revisions: number;
}

/**
 * Writes the operation and its staging row. @throws AppError `rewrap_set_mismatch` if the keys were replaced,
 * `quota_exceeded`
 */
export async function beginBatch(tx: Transact, { job, head, stored }: Batch): Promise<BegunBatch> {
  const { into } = head;
  const rootId = into?.into ?? head.groups[0]?.group.entry_group_id;
  if (rootId === undefined) throw new AppError('bad_request');
  await requirePresentKeys(tx, job);
  await demandQuota(tx, job.user.userId, stored);
  const seen = into === null ? null : await judgeTargets(tx, job.user.userId, into);
  if (into !== null) await judgeEntries(tx, into);
  const begun = { job, head, stored, rootId, name: await nameOf(tx, job, head, seen?.get(rootId)?.name), seen };
  await insertOperation(tx, { ...operationOf(begun, { fields: 0 }), undo_until: null });
  await insertStaged(tx, job.operationId);
  return begun;
}

async function nameOf(tx: Transact, { user }: JobParts, head: RowsHead, existing: string | undefined): Promise<string> {
  if (existing !== undefined) return existing;
  if (!head.choosesName) return head.groups[0]?.group.name ?? '';
  return firstFreeName(TREE_NAME, await listVisibleRootNames(tx, user.userId, TREE_NAME));
}

/** Writes the groups, in the trash, and their contents. Empties `waiting`. */
export function* stepsOf(
  begun: BegunBatch,
  waiting: WaitingPortions,
  bodies: Pick<BodyStore, 'has'>,
): Generator<Step, Written> {
  const { job, head, rootId, name } = begun;
  const insert = inserts();
  const trashed = { trashed_by: job.operationId };
  const keys = head.groups.map(({ key }) => key);
  yield* insert('entry_groups', packRows<'entry_groups'>(head.standIns.map((group) => ({ ...group, ...trashed }))));
  yield* insert(
    'entry_groups',
    packRows<'entry_groups'>(
      head.groups.map(({ group }) =>
        group.entry_group_id === rootId
          ? { ...group, name, name_folded: foldText(name), ...trashed }
          : { ...group, ...trashed },
      ),
    ),
  );
  yield* insert('group_keys', packRows<'group_keys'>(keys.map(({ key }) => key)));
  yield* insert('group_grants', packRows<'group_grants'>(keys.flatMap(({ grants }) => grants)));
  yield* insert('group_rosters', packRows<'group_rosters'>(keys.flatMap(({ roster }) => roster ?? [])));
  yield* insert('entries', head.entries);
  yield* insert('entry_tags', head.tags);
  if (head.into !== null) yield* insert('imported_rows', importedRows(job.operationId, head));
  const written = { fields: 0, revisions: 0 };
  const reopened = new Set<string>();
  let search: PackedRows<'entry_search'>[] = [];
  const insertSearch = function* (): Generator<Step> {
    yield* insert('entry_search', inTree(joinRows(search), begun));
    search = [];
  };
  for (const portion of waiting.take()) {
    const named = [...valuesIn(portion.revisions, 'body_sha256')].filter((one) => typeof one === 'string');
    yield* insert('fields', portion.fields);
    yield* insert('field_revisions', portion.revisions, () => requireBodies(bodies, named));
    yield* insert('field_history', portion.history);
    search.push(portion.search);
    if (search.reduce((sum, rows) => sum + countRows(rows), 0) >= SEARCH_ROWS) yield* insertSearch();
    for (const id of portion.reopened) reopened.add(id);
    written.fields += countRows(portion.fields);
    written.revisions += countRows(portion.revisions);
  }
  yield* insertSearch();
  for (const ids of portions([...reopened], REINDEXED)) {
    yield async (tx) => {
      await indexEntries(tx, ids);
      return ids.length;
    };
  }
  return written;
}

/** Each statement adds a segment to the trigram index. */
const SEARCH_ROWS = 1000;
const REINDEXED = 20;

/** None is deleted before the commit. @throws AppError `unavailable` */
async function requireBodies(bodies: Pick<BodyStore, 'has'>, names: readonly string[]): Promise<void> {
  for (const name of names) if (!(await bodies.has(name))) throw new AppError('unavailable', { retryAfter: 1 });
}

function inTree(rows: PackedRows<'entry_search'>, { rootId, name, head }: BegunBatch): PackedRows<'entry_search'> {
  if (head.into !== null || head.groups[0]?.group.name === name) return rows;
  const group_folded = foldText(name);
  return packRows<'entry_search'>(
    (unpackRows(rows) as unknown as ReturnType<typeof searchRowOf>[]).map((row) =>
      row.entry_group_id === rootId ? { ...row, group_folded } : row,
    ),
  );
}

/** Steps adapt their size to take `SHORT_MS` to `LONG_MS`. */
const FIRST_ROWS = 64;
const MOST_ROWS = 1024;
const STEP_BYTES = 512 * 1024;
const [SHORT_MS, LONG_MS] = [3, 10];

function inserts() {
  const usual = new Map<string, number>();
  return function* <Name extends keyof Tables>(
    table: Name,
    rows: PackedRows<Name>,
    before: () => Promise<void> = async () => {},
  ): Generator<Step> {
    for (let at = 0; at < countRows(rows);) {
      const most = usual.get(table) ?? FIRST_ROWS;
      const some = rowsBetween(rows, at, countWithin(rows, at, most, STEP_BYTES));
      at += countRows(some);
      yield async (_tx, insert) => {
        await before();
        const started = performance.now();
        await insert(table, some);
        const ms = performance.now() - started;
        if (ms > LONG_MS) usual.set(table, Math.max(1, Math.floor(countRows(some) / 2)));
        else if (ms < SHORT_MS && countRows(some) === most) usual.set(table, Math.min(MOST_ROWS, 2 * most));
        return countRows(some);
      };
    }
  };
}

interface Staged {
  readonly written: Written;
  /** Is emptied. */
  readonly late: LateRows;
  readonly bodies: Pick<BodyStore, 'has'>;
}

/** Makes the import visible. @throws AppError as `beginBatch`, `unavailable` if it was dropped */
export async function finishBatch(
  tx: Transact,
  insert: InsertRows,
  begun: BegunBatch,
  staged: Staged,
): Promise<ImportAnswer> {
  const { job, head, rootId, name } = begun;
  const { now, user, origin } = job;
  // Other transactions may have run since.
  await requirePresentKeys(tx, job);
  const written = await finishInto(tx, insert, begun, staged);
  await demandQuotaOfWritten(tx, user.userId, begun.stored);
  await endStaging(tx, job.operationId);
  const operation = operationOf(begun, written);
  await showImport(tx, operation);
  await insert('group_members', packRows<'group_members'>(head.groups.flatMap(({ members }) => members)));
  const shown = asOperation(operation);
  const updated = head.into === null ? {} : { updated: head.into.updates.length };
  const counts = { ...shown.counts, revisions: written.revisions, ...updated };
  const deps = { newId: monotonicIds(now), clock: { now: () => now }, noticesFrom: job.noticesFrom };
  await recordEvent(tx, deps, {
    event_type: 'imported',
    actor: user,
    origin,
    target_type: 'entry_group',
    target_id: rootId,
    details: {
      ...counts,
      ...(head.groups.length === 0 ? {} : { roster_hash: hashOfLists(head.groups) }),
      ...detailsInto(head),
    },
  });
  if (head.into?.sameMembers === true) await noteRoles(tx, deps, user.userId, rolesGiven(head.groups, user.userId));
  // Requests with the master password have no digest.
  if (head.digest === null) await recordUse(tx, deps, { actor: user, origin });
  else {
    const digest = Buffer.from(head.digest);
    const id = requestId(head.into, rootId, digest);
    await insertCreatedRequest(tx, { id, user_id: user.userId, digest, created_at: now });
  }
  return { ...shown, entry_group_id: rootId, name, counts, skipped: [...head.skipped] };
}

/** Judges the targets again and writes into them. @throws AppError as `judgeTargets`, `writeLate` */
async function finishInto(
  tx: Transact,
  insert: InsertRows,
  { job, head: { into }, seen }: BegunBatch,
  { written, late, bodies }: Staged,
): Promise<Written> {
  if (into === null || seen === null) return written;
  const { operationId, now, user } = job;
  requireSameMembers(seen, await judgeTargets(tx, user.userId, into));
  await placeStaged(tx, operationId);
  const more = await writeLate(tx, insert, {
    operationId,
    userId: user.userId,
    now,
    into,
    rows: late,
    requireBodies: (names) => requireBodies(bodies, names),
  });
  return { fields: written.fields + more.fields, revisions: written.revisions + more.revisions };
}

/** Hex SHA-256 of the hex roster hashes, by group id. */
function hashOfLists(groups: RowsHead['groups']): string {
  const inOrder = groups.toSorted((a, b) => (a.group.entry_group_id < b.group.entry_group_id ? -1 : 1));
  const hashes = inOrder.flatMap(({ key: { roster } }) => (roster === null ? [] : hashOfRow(roster)));
  return sha256(Buffer.from(hashes.join(''))).toString('hex');
}

async function requirePresentKeys(tx: Transact, { user, certificate }: Batch['job']): Promise<void> {
  const version = await readKeysetVersion(tx, user.userId);
  if (version !== certificate.keyset_version) throw new AppError('rewrap_set_mismatch');
}

function operationOf({ job, head, rootId, name }: BegunBatch, { fields }: Pick<Written, 'fields'>): OperationRow {
  return {
    operation_id: job.operationId,
    kind: 'import',
    user_id: job.user.userId,
    target_kind: 'entry_group',
    target_id: rootId,
    title: name,
    entry_group_id: null,
    detail: head.into === null || head.digest === null ? TREE_DETAIL : intoDetail(head.into, head.digest),
    entry_groups: head.groups.length,
    entries: countRows(head.entries),
    fields,
    created_at: job.now,
    undo_until: undoImportUntil(job.now),
    undone_at: null,
  };
}

export function firstFreeName(base: string, taken: readonly string[]): string {
  const names = new Set(taken);
  let name = base;
  for (let number = 2; names.has(name); number += 1) name = `${base} (${number})`;
  return name;
}
