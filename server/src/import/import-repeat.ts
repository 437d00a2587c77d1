/** The same batch sent again, because an answer was lost, is answered again and stored once (docs/spec/api.md §1.1). */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../db/database.ts';
import { asOperation } from '../operations/operation.ts';
import type { RowsHead } from './batch-rows.ts';
import type { ImportAnswer, JobParts } from './import-job.ts';
import { findCreatedRequest } from '../http/created-request-repository.ts';
import { findImportOf } from './import-repository.ts';

/** The answer of the first time, without its revisions; null when there was none. Throws `id_taken` when the root's id belongs to anything else. */
export async function findRepeat(
  tx: Transact,
  job: Pick<JobParts, 'user'>,
  { groups, digest, skipped }: RowsHead,
): Promise<ImportAnswer | null> {
  const rootId = groups[0]?.group.entry_group_id;
  if (digest === null || rootId === undefined) return null;
  const request = await findCreatedRequest(tx, rootId);
  if (request === undefined) return null;
  const operation = await findImportOf(tx, rootId);
  const isSame = request.user_id === job.user.userId && Buffer.compare(digest, request.digest) === 0;
  if (!isSame || operation === undefined) throw new AppError('id_taken');
  const shown = asOperation(operation);
  return {
    ...shown,
    entry_group_id: rootId,
    name: operation.title,
    counts: { ...shown.counts, revisions: 0 },
    skipped: [...skipped],
  };
}
