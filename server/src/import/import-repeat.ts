/** The same batch sent again, because an answer was lost, is answered again and stored once (`api.md` §1.1). */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../db/database.ts';
import { asOperation } from '../operations/operation.ts';
import type { FieldRows } from './batch-fields.ts';
import type { BatchHead, BatchSource } from './batch-source.ts';
import type { ImportAnswer, ImportJob } from './import-job.ts';
import { findCreatedRequest } from '../http/created-request-repository.ts';
import { findImportOf } from './import-repository.ts';

/** The answer of the first time; null when there was none. Throws `id_taken` when the root's id belongs to anything else. */
export async function findRepeat(
  tx: Transact,
  job: ImportJob,
  source: BatchSource,
  head: BatchHead,
  fields: readonly FieldRows[],
): Promise<ImportAnswer | null> {
  const rootId = head.groups[0]?.entry_group_id;
  if (source.digest === null || rootId === undefined) return null;
  const request = await findCreatedRequest(tx, rootId);
  if (request === undefined) return null;
  const operation = await findImportOf(tx, rootId);
  const isSame = request.user_id === job.user.userId && source.digest.equals(request.digest);
  if (!isSame || operation === undefined) throw new AppError('id_taken');
  const shown = asOperation(operation);
  const revisions = fields.reduce((sum, field) => sum + field.revisions.length, 0);
  return {
    ...shown,
    entry_group_id: rootId,
    name: operation.title,
    counts: { ...shown.counts, revisions },
    skipped: [...head.skipped],
  };
}
