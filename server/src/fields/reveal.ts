/** The witness of every value that leaves the server, whatever its form: history row and audit event in the act's own transaction (decision K2). */
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { addAttempt } from '../platform/attempts-repository.ts';
import { insertHistoryRow } from './reveal-repository.ts';

export interface Revealed {
  readonly actor: Actor;
  readonly origin: Origin;
  readonly fieldId: string;
  readonly rev: number;
}

const MASS = { reveals: 200, windowMs: 10 * 60_000 } as const;

/** Writes *H* `decrypted` and *A* `field_revealed`; the 201st of ten minutes also raises *A* `mass_reveal`, and nothing is refused. */
export async function witnessReveal(tx: Transact, deps: Pick<Deps, 'newId' | 'clock'>, revealed: Revealed) {
  const { actor, origin, fieldId, rev } = revealed;
  const now = deps.clock.now();
  await insertHistoryRow(tx, {
    field_edit_log_id: deps.newId(),
    field_id: fieldId,
    event_type: 'decrypted',
    rev,
    user_id: actor.userId,
    created_at: now,
  });
  const target = { target_type: 'field', target_id: fieldId };
  await recordEvent(tx, deps, { event_type: 'field_revealed', actor, origin, ...target, details: { rev } });
  const { failures: reveals } = await addAttempt(tx, `reveal:${actor.userId}`, MASS.windowMs, now);
  if (reveals === MASS.reveals + 1) await recordEvent(tx, deps, { event_type: 'mass_reveal', actor, origin });
}
