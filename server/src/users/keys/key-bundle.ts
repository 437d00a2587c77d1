/** Handing out one's own locked keys: limited and on record, because each copy can be guessed at (docs/spec/threats.md §2.13). */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import type { AuditEntry } from '../../audit/audit-log.ts';
import type { Actor, RequestContext } from '../../http/context.ts';
import { ATTEMPT_LIMITS, countAttempt } from '../../platform/passwords/attempts.ts';
import { readKeyBundle } from './key-repository.ts';

/**
 * @param released.target for what it is fetched, where it is more than the caller's own sake
 * @param released.known documents that the client has, as `name:version` with commas between
 */
export async function releaseKeyBundle(
  { deps, origin }: RequestContext,
  actor: Actor,
  {
    target = {},
    known = '',
  }: { target?: Pick<AuditEntry, 'target_type' | 'target_id'>; known?: string | undefined } = {},
): Promise<KeyBundle> {
  await countAttempt(deps, `key-bundle:${actor.userId}`, ATTEMPT_LIMITS.keyBundle);
  await deps.db.transactBeside((tx) =>
    recordEvent(tx, deps, { event_type: 'key_bundle_released', actor, origin, ...target }),
  );
  const bundle = await readKeyBundle(deps.db, actor.userId);
  if (bundle === undefined) throw new AppError('unauthenticated');
  const isKnown = new Set(known.split(','));
  const documents = bundle.documents.map((document) =>
    isKnown.has(`${document.name}:${document.version}`) ? { ...document, blob_base64: null } : document,
  );
  return { ...bundle, documents };
}
