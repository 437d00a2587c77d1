/** The rows of an import, written inside one transaction. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { foldText } from '@passwordbroker/core/domain/fold-text';
import { recordEvent } from '../audit/audit-log.ts';
import { joinActs } from '../db/act-locks.ts';
import type { InsertRows } from '../db/bulk-writer.ts';
import type { Transact } from '../db/database.ts';
import { countRows, joinRows } from '../db/packed-rows.ts';
import type { PackedRows } from '../db/packed-rows.ts';
import type { Tables } from '../db/schema.ts';
import { indexEntries, indexGroupName } from '../db/search-index.ts';
import { asOperation, undoImportUntil } from '../operations/operation.ts';
import type { OperationRow } from '../operations/operation.ts';
import { insertOperation } from '../operations/operation-repository.ts';
import { recordUse } from '../server-crypto/master-password-use.ts';
import type { RowPortion, RowsHead } from './batch-rows.ts';
import type { ImportAnswer, JobParts } from './import-job.ts';
import { insertCreatedRequest } from '../http/created-request-repository.ts';
import { listVisibleRootNames, readKeysetVersion } from './import-repository.ts';
import { risingIds } from '@passwordbroker/core/domain/rising-ids';
import { writeGroups } from './write-groups.ts';
import { TREE_NAME, firstFreeName } from './tree-name.ts';

interface Batch {
  readonly job: JobParts;
  readonly head: RowsHead;
}

export interface Writing {
  portion(rows: RowPortion): Promise<void>;
  /** Counts, operation, audit; answers what the caller is told. */
  finish(): Promise<ImportAnswer>;
}

/** Writes groups and entries, and then the fields as they are handed over. */
export async function beginWriting(tx: Transact, insert: InsertRows, batch: Batch): Promise<Writing> {
  const { job, head } = batch;
  const [root, ...below] = head.groups;
  if (root === undefined) throw new AppError('bad_request');
  await refuseOtherKeys(tx, job);
  const name = head.choosesName
    ? firstFreeName(TREE_NAME, await listVisibleRootNames(tx, job.user.userId, TREE_NAME))
    : root.group.name;
  const named = { ...root, group: { ...root.group, name, name_folded: foldText(name) } };
  await writeGroups(insert, [named, ...below]);
  await insert('entries', head.entries);
  const counts = { fields: 0, revisions: 0 };
  const reopened = new Set<string>();
  const search = gathered(insert, 'entry_search');
  return {
    async portion({ fields, revisions, history, search: texts, reopened: some }) {
      await insert('fields', fields);
      await insert('field_revisions', revisions);
      await insert('field_history', history);
      await search.add(texts);
      counts.fields += countRows(fields);
      counts.revisions += countRows(revisions);
      for (const entryId of some) reopened.add(entryId);
    },
    async finish() {
      await search.insert();
      await indexEntries(tx, [...reopened]);
      // Its entries were made searchable before the name was known.
      if (name !== root.group.name) await indexGroupName(tx, root.group.entry_group_id, named.group.name_folded);
      // Others may have acted while so many rows were written.
      await joinActs(tx);
      await refuseOtherKeys(tx, job);
      return finish(tx, batch, named.group, counts);
    },
  };
}

/** So many rows go into the database together: the index of trigrams has one more part for each time. */
const SEARCH_ROWS = 1000;

/** Rows of several portions as one. */
function gathered<Name extends keyof Tables>(insert: InsertRows, table: Name) {
  let rows: PackedRows<Name>[] = [];
  const gather = {
    async add(some: PackedRows<Name>) {
      rows.push(some);
      if (rows.reduce((sum, one) => sum + countRows(one), 0) >= SEARCH_ROWS) await gather.insert();
    },
    async insert() {
      const all = joinRows(rows);
      rows = [];
      await insert(table, all);
    },
  };
  return gather;
}

/** The keys may have been replaced while the batch was on its way. @throws AppError `rewrap_set_mismatch` */
async function refuseOtherKeys(tx: Transact, { user, certificate }: Batch['job']): Promise<void> {
  const version = await readKeysetVersion(tx, user.userId);
  if (version !== certificate.keyset_version) throw new AppError('rewrap_set_mismatch');
}

async function finish(
  tx: Transact,
  { job, head }: Batch,
  root: Tables['entry_groups'],
  counted: { readonly fields: number; readonly revisions: number },
): Promise<ImportAnswer> {
  const { now, user, origin } = job;
  const operation: OperationRow = {
    operation_id: job.operationId,
    kind: 'import',
    user_id: user.userId,
    target_kind: 'entry_group',
    target_id: root.entry_group_id,
    title: root.name,
    entry_group_id: null,
    detail: '{}',
    entry_groups: head.groups.length,
    entries: countRows(head.entries),
    fields: counted.fields,
    created_at: now,
    undo_until: undoImportUntil(now),
    undone_at: null,
  };
  await insertOperation(tx, operation);
  const shown = asOperation(operation);
  const counts = { ...shown.counts, revisions: counted.revisions };
  const deps = { newId: risingIds(now), clock: { now: () => now }, noticesFrom: job.noticesFrom };
  await recordEvent(tx, deps, {
    event_type: 'imported',
    actor: user,
    origin,
    target_type: 'entry_group',
    target_id: root.entry_group_id,
    details: counts,
  });
  // Only a request that held the master password has no digest.
  if (head.digest === null) await recordUse(tx, deps, { actor: user, origin });
  else {
    const digest = Buffer.from(head.digest);
    await insertCreatedRequest(tx, { id: root.entry_group_id, user_id: user.userId, digest, created_at: now });
  }
  return { ...shown, entry_group_id: root.entry_group_id, name: root.name, counts, skipped: [...head.skipped] };
}
