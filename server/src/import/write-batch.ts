/** The rows of an import, written inside one transaction. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { foldText } from '@passwordbroker/core/domain/fold-text';
import { recordEvent } from '../audit/audit-log.ts';
import { joinActs } from '../db/act-locks.ts';
import type { InsertRows } from '../db/bulk-writer.ts';
import type { Transact } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { asOperation, undoImportUntil } from '../operations/operation.ts';
import type { OperationRow } from '../operations/operation.ts';
import { insertOperation } from '../operations/operation-repository.ts';
import { recordUse } from '../server-crypto/master-password-use.ts';
import type { FieldRows } from './batch-fields.ts';
import type { GroupRows } from './batch-groups.ts';
import type { BatchHead, BatchSource } from './batch-source.ts';
import type { ImportAnswer, ImportJob } from './import-job.ts';
import { insertCreatedRequest } from '../http/created-request-repository.ts';
import { listVisibleRootNames, readKeysetVersion } from './import-repository.ts';
import { searchRows } from './search-rows.ts';
import { writeGroups } from './write-groups.ts';
import { TREE_NAME, firstFreeName } from './tree-name.ts';

export interface HeadRows {
  readonly groups: readonly GroupRows[];
  readonly entries: readonly Tables['entries'][];
}

interface Batch {
  readonly job: ImportJob;
  readonly source: BatchSource;
  readonly head: BatchHead;
  readonly rows: HeadRows;
  readonly newId: () => string;
}

export interface Writing {
  fields(rows: readonly FieldRows[]): Promise<void>;
  /** Counts, operation, audit; answers what the caller is told. */
  finish(): Promise<ImportAnswer>;
}

/** Writes groups and entries, and then the fields as they are handed over. */
export async function beginWriting(tx: Transact, insert: InsertRows, batch: Batch): Promise<Writing> {
  const { job, source, rows } = batch;
  const [root, ...below] = rows.groups;
  if (root === undefined) throw new AppError('bad_request');
  await refuseOtherKeys(tx, job);
  const name = source.choosesName
    ? firstFreeName(TREE_NAME, await listVisibleRootNames(tx, job.user.userId, TREE_NAME))
    : root.group.name;
  const named = { ...root, group: { ...root.group, name, name_folded: foldText(name) } };
  await writeGroups(insert, [named, ...below]);
  await insert('entries', rows.entries);
  const counts = { fields: 0, revisions: 0 };
  const texts = searchRows(rows, source.isPaced);
  return {
    async fields(all) {
      const revisions = all.flatMap((one) => one.revisions);
      await insert(
        'fields',
        all.map((one) => one.field),
      );
      await insert('field_revisions', revisions);
      await insert(
        'field_history',
        all.flatMap((one) => one.history),
      );
      for (const { field } of all) texts.add(field);
      await insert('entry_search', texts.complete());
      counts.fields += all.length;
      counts.revisions += revisions.length;
    },
    async finish() {
      await insert('entry_search', texts.rest());
      // Others may have acted while so many rows were written.
      await joinActs(tx);
      await refuseOtherKeys(tx, job);
      return finish(tx, batch, named.group, counts);
    },
  };
}

/** The keys may have been replaced while the batch was on its way. @throws AppError `rewrap_set_mismatch` */
async function refuseOtherKeys(tx: Transact, { user, certificate }: ImportJob): Promise<void> {
  const version = await readKeysetVersion(tx, user.userId);
  if (version !== certificate.keyset_version) throw new AppError('rewrap_set_mismatch');
}

async function finish(
  tx: Transact,
  { job, source, head, rows, newId }: Batch,
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
    entry_groups: rows.groups.length,
    entries: rows.entries.length,
    fields: counted.fields,
    created_at: now,
    undo_until: undoImportUntil(now),
    undone_at: null,
  };
  await insertOperation(tx, operation);
  const shown = asOperation(operation);
  const counts = { ...shown.counts, revisions: counted.revisions };
  const deps = { newId, clock: { now: () => now }, noticesFrom: job.noticesFrom };
  await recordEvent(tx, deps, {
    event_type: 'imported',
    actor: user,
    origin,
    target_type: 'entry_group',
    target_id: root.entry_group_id,
    details: counts,
  });
  if (job.source.form === 'plain') await recordUse(tx, deps, { actor: user, origin });
  if (source.digest !== null) {
    const digest = source.digest;
    await insertCreatedRequest(tx, { id: root.entry_group_id, user_id: user.userId, digest, created_at: now });
  }
  return { ...shown, entry_group_id: root.entry_group_id, name: root.name, counts, skipped: [...head.skipped] };
}
