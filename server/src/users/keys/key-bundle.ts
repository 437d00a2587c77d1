import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import type { AuditEntry } from '../../audit/audit-log.ts';
import type { Actor, RequestContext } from '../../http/context.ts';
import { ATTEMPT_LIMITS, countAttempt } from '../../platform/passwords/attempts.ts';
import { readKeyBundle } from './key-repository.ts';

/**
 * Limited and audited, because each copy allows offline guessing (docs/spec/threats.md §2.13).
 * @param released.known documents that the client has: `name:version,…`
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
