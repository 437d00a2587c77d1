/** Creates that are sent again because an answer was lost (docs/spec/api.md §1.1): the digest of the sealed body tells a repeat from another one. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../../db/database.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { RequestContext } from '../context.ts';
import { findCreatedRequest, insertCreatedRequest } from './created-request-repository.ts';

/** SHA-256 over the members as read and the files; null for a body that carries a secret, of which nothing is kept. */
export function digestOfCreate(context: Pick<RequestContext, 'isPlainForm' | 'files'>, body: unknown): Buffer | null {
  if (context.isPlainForm) return null;
  const files = context.files.map(({ part, bytes }) => [part, sha256(bytes).toString('hex')]);
  return sha256(new TextEncoder().encode(JSON.stringify([body, files])));
}

/**
 * Whether this very create has been answered before.
 * @throws AppError `id_taken` when the id was used for anything else, or nothing is known of how
 */
export async function isRepeat(tx: Transact, id: string, userId: string, digest: Buffer | null): Promise<boolean> {
  const request = await findCreatedRequest(tx, id);
  if (request === undefined) return false;
  if (digest === null || request.user_id !== userId || !digest.equals(request.digest)) throw new AppError('id_taken');
  return true;
}

/** Remembers a create; without a digest there is nothing to remember. */
export async function rememberCreate(
  tx: Transact,
  create: { readonly id: string; readonly userId: string; readonly digest: Buffer | null; readonly now: number },
): Promise<void> {
  const { id, userId, digest, now } = create;
  if (digest !== null) await insertCreatedRequest(tx, { id, user_id: userId, digest, created_at: now });
}
