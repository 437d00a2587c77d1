import { recordEvents } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { Deps, Operator } from '../http/context.ts';
import { revokeInvites } from './invite-repository.ts';

/** Reason in the audit log. */
export type InviterLeft = 'deleted' | 'disabled' | 'demoted' | 'offboarded';

/** Call in the transaction in which the inviter loses the right (T147). Returns the number of open ones. */
export async function endInvitesOf(
  tx: Transact,
  deps: Pick<Deps, 'clock' | 'newId'>,
  { actor, origin }: Operator,
  { userId, reason }: { readonly userId: string; readonly reason: InviterLeft },
): Promise<number> {
  const ended = await revokeInvites(tx, { invited_by: userId }, deps.clock.now());
  const details = { invited_by: userId, reason };
  await recordEvents(
    tx,
    deps,
    ended.map((target_id) => ({
      event_type: 'invite_revoked',
      actor,
      origin,
      target_type: 'invite',
      target_id,
      details,
    })),
  );
  return ended.length;
}
