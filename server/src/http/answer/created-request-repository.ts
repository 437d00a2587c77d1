import type { Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import { sha256 } from '../../platform/ids-and-digests.ts';
import type { RequestContext } from '../context.ts';

export async function findCreatedRequest(tx: Transact, id: string) {
  return tx.selectFrom('created_requests').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertCreatedRequest(tx: Transact, row: Tables['created_requests']): Promise<void> {
  await tx.insertInto('created_requests').values(row).execute();
}

/** Digest to recognise a retried create; null for a plain form: nothing derived from secrets is stored. */
export function digestOfCreate(context: Pick<RequestContext, 'isPlainForm' | 'files'>, body: unknown): Buffer | null {
  if (context.isPlainForm) return null;
  const files = context.files.map(({ part, bytes }) => [part, sha256(bytes).toString('hex')]);
  return sha256(new TextEncoder().encode(JSON.stringify([body, files])));
}

/** Whether this create was answered before. @throws AppError `id_taken` for another use of the id */
export async function isRepeat(tx: Transact, id: string, userId: string, digest: Buffer | null): Promise<boolean> {
  const request = await findCreatedRequest(tx, id);
  if (request === undefined) return false;
  if (digest === null || request.user_id !== userId || !digest.equals(request.digest)) throw new AppError('id_taken');
  return true;
}

export async function rememberCreate(
  tx: Transact,
  create: { readonly id: string; readonly userId: string; readonly digest: Buffer | null; readonly now: number },
): Promise<void> {
  const { id, userId, digest, now } = create;
  if (digest !== null) await insertCreatedRequest(tx, { id, user_id: userId, digest, created_at: now });
}
