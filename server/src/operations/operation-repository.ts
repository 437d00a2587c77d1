import type { Database, Transact } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { OperationRow } from './operation.ts';

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

/** Newest first. */
export async function listUndoable(
  { read }: Database,
  span: { readonly userId: string; readonly now: number; readonly offset: number; readonly limit: number },
): Promise<{ rows: OperationRow[]; total: number }> {
  const own = read
    .selectFrom('operations')
    .where('user_id', '=', span.userId)
    .where('kind', 'in', ['move', 'rename', 'import'])
    .where('undone_at', 'is', null)
    .where('undo_until', '>', span.now);
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
