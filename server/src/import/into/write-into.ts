/** Writes an import into existing groups (ADR 16): the statements of its last transaction. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { columnOf, countRows, packRows, valuesIn, type PackedRows } from '../../db/bulk/packed-rows.ts';
import type { InsertRows } from '../../db/bulk/writer.ts';
import type { Transact } from '../../db/database.ts';
import { indexEntries } from '../../db/text-search/search-index.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { readEntrySizes, renewAllDue, touchEntries } from '../../entries/entry-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import type { RowsHead } from '../checked-rows.ts';
import { takeRows } from '../portion-bytes.ts';
import type { IntoHead } from './into-head.ts';
import { moveStaged, setNextRevisions } from './into-repository.ts';
import { judgeEntries, requireWithinSizes } from './judge-into.ts';

type ImportedRow = Tables['imported_rows'];

/** New entries of existing groups, and the topmost new groups. */
export function importedRows(
  operationId: string,
  { groups, standIns, entries }: Pick<RowsHead, 'groups' | 'standIns' | 'entries'>,
): PackedRows<'imported_rows'> {
  const places = new Set<unknown>(standIns.map(({ entry_group_id }) => entry_group_id));
  const row = (kind: ImportedRow['kind'], id: string) => ({ operation_id: operationId, kind, id, rev: null });
  const rows = groups
    .filter(({ group }) => places.has(group.parent_entry_group_id))
    .map(({ group }) => row('entry_group', group.entry_group_id));
  const [idOf, groupOf] = [columnOf(entries, 'entry_id'), columnOf(entries, 'entry_group_id')];
  for (let at = 0; at < countRows(entries); at += 1) {
    if (places.has(groupOf(at))) rows.push(row('entry', String(idOf(at))));
  }
  return packRows<'imported_rows'>(rows);
}

/** For the audit log. */
export const detailsInto = ({ into, skipped }: Pick<RowsHead, 'into' | 'skipped'>) =>
  into === null ? {} : { same_members: into.sameMembers, skipped: skipped.reduce((sum, { count }) => sum + count, 0) };

/** For notices: people that new groups have besides the importer. */
export const rolesGiven = (groups: RowsHead['groups'], importer: string) =>
  groups.flatMap(({ members }) =>
    members
      .filter(({ user_id }) => user_id !== importer)
      .map(({ entry_group_id: groupId, user_id: userId, role }) => ({ groupId, userId, role, before: null })),
  );

/** @throws AppError `conflict` if the tree became too deep meanwhile */
export async function placeStaged(tx: Transact, operationId: string): Promise<void> {
  if (await moveStaged(tx, operationId))
    throw new AppError('conflict', { message: SERVER_TEXTS.tooDeep(LIMITS.treeDepth) });
}

/** What goes into existing entries. */
export interface LateRows {
  /** Emptied when it is written. */
  readonly portions: Uint8Array[];
  /** Ids of existing entries. */
  readonly withNewFields: Set<string>;
}

interface Late {
  readonly operationId: string;
  readonly userId: string;
  /** Unix time in ms. */
  readonly now: number;
  readonly into: IntoHead;
  readonly rows: LateRows;
  /** @throws AppError `unavailable` if a sealed file is missing */
  readonly requireBodies: (names: readonly string[]) => Promise<void>;
}

export interface WrittenLate {
  readonly fields: number;
  readonly revisions: number;
}

/** Writes new fields and next revisions into existing entries. @throws AppError as `judgeEntries` */
export async function writeLate(tx: Transact, insert: InsertRows, late: Late): Promise<WrittenLate> {
  const { operationId, userId, now, into } = late;
  const changed = await judgeEntries(tx, into, late.rows.withNewFields);
  const before = await readEntrySizes(tx, changed.texts);
  const written = { fields: 0, revisions: 0 };
  const marks: ImportedRow[] = into.updates.map(({ field_id: id, base_rev }) => {
    return { operation_id: operationId, kind: 'revision', id, rev: base_rev + 1 };
  });
  for (const { fields, revisions, history } of takeRows(late.rows.portions)) {
    await late.requireBodies([...valuesIn(revisions, 'body_sha256')].filter((one) => typeof one === 'string'));
    await insert('fields', fields);
    await insert('field_revisions', revisions);
    await insert('field_history', history);
    for (const id of valuesIn(fields, 'field_id')) {
      marks.push({ operation_id: operationId, kind: 'field', id: String(id), rev: null });
    }
    written.fields += countRows(fields);
    written.revisions += countRows(revisions);
  }
  await insert('imported_rows', packRows<'imported_rows'>(marks));
  await setNextRevisions(tx, { operationId, userId, now });
  requireWithinSizes(before, await readEntrySizes(tx, changed.texts));
  await touchEntries(tx, [...into.entries.keys()], now);
  await renewAllDue(tx, [...changed.passwords], now);
  await indexEntries(tx, [...changed.texts]);
  return written;
}
