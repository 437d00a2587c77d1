/** The journal of operations that can be undone (ADR 7). */
import type { Operation, OperationKind, TargetKind } from '@passwordbroker/core/contract/entities';
import type { Transact, Database } from '../db/database.ts';
import { indexEntries } from '../db/text-search/search-index.ts';
import type { Actor, Deps } from '../http/context.ts';
import { entriesAround, markTrashed, withAllBelow, type Things } from './trash/trash-repository.ts';
import { prepared } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';

export type OperationRow = Tables['operations'];

const DAY = 24 * 60 * 60 * 1000;

/** Unix time in ms; also for new entries. */
export const undoImportUntil = (now: number): number => now + DAY;

/** Unix time in ms; also for moves and renames. */
export const restoreUntil = (now: number, trashDays: number): number => now + trashDays * DAY;

export function asOperation(row: OperationRow): Operation {
  return {
    operation_id: row.operation_id,
    kind: row.kind,
    counts: { entry_groups: row.entry_groups, entries: row.entries, fields: row.fields },
    undo_until: row.undo_until === null ? null : new Date(row.undo_until).toISOString(),
  };
}

/** What an undo needs: names and ids, never a value. */
interface RenameDetail {
  readonly from: string;
  readonly to: string;
  /** Before the rename (Unix time in ms). */
  readonly updated_at: number;
}

interface MoveDetail {
  /** Null means the root. */
  readonly from_group: string | null;
  readonly to_group: string | null;
  readonly entries?: readonly string[];
}

/** Of an import into existing groups. */
interface IntoDetail {
  readonly digest: string;
  readonly updated: number;
}

type Detail = RenameDetail | MoveDetail | IntoDetail | Record<never, never>;

/** Written only by `recordOperation`. */
export const readDetail = ({ detail }: Pick<OperationRow, 'detail'>): Detail => JSON.parse(detail) as Detail;

export function renameDetail(row: OperationRow): RenameDetail {
  const detail = readDetail(row);
  if ('from' in detail) return detail;
  throw new Error(`Operation ${row.operation_id} is no rename`);
}

export function moveDetail(row: OperationRow): MoveDetail {
  const detail = readDetail(row);
  if ('from_group' in detail) return detail;
  throw new Error(`Operation ${row.operation_id} is no move`);
}

/** The `groupId` of a group is its parent. */
interface Target {
  readonly kind: TargetKind;
  readonly id: string;
  readonly title: string;
  readonly groupId: string | null;
}

interface NewOperation {
  readonly kind: OperationKind;
  /** Null for the command line. */
  readonly actor: Pick<Actor, 'userId'> | null;
  readonly target: Target;
  readonly detail?: Detail;
  readonly counts?: Operation['counts'];
  /** Unix time in ms; null if it cannot be undone. */
  readonly undoUntil: number | null;
}

const NOTHING = { entry_groups: 0, entries: 0, fields: 0 } as const;

/** Call it in the operation's transaction. */
export async function recordOperation(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  operation: NewOperation,
): Promise<OperationRow> {
  const { kind, actor, target, detail = {}, counts = NOTHING, undoUntil } = operation;
  const row: OperationRow = {
    operation_id: deps.newId(),
    kind,
    user_id: actor?.userId ?? null,
    target_kind: target.kind,
    target_id: target.id,
    title: target.title,
    entry_group_id: target.groupId,
    detail: JSON.stringify(detail),
    ...counts,
    created_at: deps.clock.now(),
    undo_until: undoUntil,
    undone_at: null,
  };
  await insertOperation(tx, row);
  return row;
}

/**
 * Trashes items and everything below. `groups` contains whole subtrees. The caller has checked permissions in
 * this transaction.
 */
export async function putIntoTrash(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  removal: {
    readonly actor: Pick<Actor, 'userId'> | null;
    readonly target: Target;
    readonly chosen: Partial<Things>;
    readonly trashDays: number;
  },
): Promise<Operation> {
  const { actor, target, chosen, trashDays } = removal;
  const things = await withAllBelow(tx, chosen);
  const counts = { entry_groups: things.groups.length, entries: things.entries.length, fields: things.fields.length };
  const now = deps.clock.now();
  const undoUntil = restoreUntil(now, trashDays);
  const row = await recordOperation(tx, deps, { kind: 'delete', actor, target, counts, undoUntil });
  await markTrashed(tx, deps, things, { operationId: row.operation_id, userId: actor?.userId ?? null, now });
  // Entries of deleted groups stay in the index; searches exclude them.
  if (things.groups.length === 0) await indexEntries(tx, await entriesAround(tx, things));
  return asOperation(row);
}

export async function insertOperation(tx: Transact, row: OperationRow): Promise<void> {
  await ROW.all(tx, row);
}

const ROW = prepared((db, given: OperationRow) => {
  const { operation_id, kind, user_id, target_kind, target_id, title, entry_group_id, detail } = given;
  const { entry_groups, entries, fields, created_at, undo_until, undone_at } = given;
  const target = { target_kind, target_id, title, entry_group_id, detail };
  const counts = { entry_groups, entries, fields };
  return db
    .insertInto('operations')
    .values({ operation_id, kind, user_id, ...target, ...counts, created_at, undo_until, undone_at });
});

export async function findOperation(
  db: Database | Database['read'] | Transact,
  operationId: string,
): Promise<OperationRow | undefined> {
  const reader = 'read' in db ? db.read : db;
  return reader.selectFrom('operations').selectAll().where('operation_id', '=', operationId).executeTakeFirst();
}

/** Returns the id of the operation that created the entry, also when it was undone; null without one. */
export async function findCreation(tx: Transact, entryId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('operations')
    .select('operation_id')
    .where('target_id', '=', entryId)
    .where('kind', '=', 'create')
    .executeTakeFirst();
  return row?.operation_id ?? null;
}

/** Newest first, without those of deleted entries. */
export async function listUndoable(
  { read }: Database,
  span: { readonly userId: string; readonly now: number; readonly offset: number; readonly limit: number },
): Promise<{ rows: OperationRow[]; total: number }> {
  const own = read
    .selectFrom('operations')
    .where('user_id', '=', span.userId)
    .where('kind', 'in', ['create', 'move', 'rename', 'import'])
    .where('undone_at', 'is', null)
    .where('undo_until', '>', span.now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('entries')
            .select('entries.entry_id')
            .whereRef('entries.entry_id', '=', 'operations.target_id')
            .where('entries.trashed_by', 'is not', null),
        ),
      ),
    );
  const [rows, counted] = await Promise.all([
    own.selectAll().orderBy('operation_id', 'desc').limit(span.limit).offset(span.offset).execute(),
    own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.total };
}

/** Returns false if it is undone already. */
export async function markUndone(tx: Transact, operationId: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('operations')
    .set({ undone_at: now })
    .where('operation_id', '=', operationId)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Whether a later operation of the same kind on the target was not undone. */
export async function isFollowed(tx: Transact, { operation_id, kind, target_id }: OperationRow): Promise<boolean> {
  const later = await tx
    .selectFrom('operations')
    .select('operation_id')
    .where('target_id', '=', target_id)
    .where('kind', '=', kind)
    .where('operation_id', '>', operation_id)
    .where('undone_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}
