/** Sets whether the server refuses the caller's master password (docs/spec/api.md §3.4). */
import { recordEvent } from '../audit/audit-log.ts';
import type { Actor, RequestContext } from '../http/context.ts';
import { writeOptOut } from './user-repository.ts';

export async function setOptOut(
  { deps, actor, origin }: RequestContext & { readonly actor: Actor },
  status: boolean,
): Promise<{ status: boolean }> {
  await deps.db.transact(async (tx) => {
    await writeOptOut(tx, actor.userId, status, deps.clock.now());
    const details = { server_crypto_opt_out: status };
    await recordEvent(tx, deps, { event_type: 'settings_changed', actor, origin, ...ofUser(actor), details });
  });
  return { status };
}

const ofUser = ({ userId }: Actor) => ({ target_type: 'user', target_id: userId });
