/** The witness of every value that leaves the server, whatever its form: history row and audit event in the act's own transaction (docs/spec/decisions.md K2). */
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import { inTurn } from '../db/act-locks.ts';
import type { Kept } from '../db/act-locks.ts';
import type { Transact } from '../db/database.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { addKeptAttempt, countingAttempts, partOf } from '../platform/passwords/attempts-repository.ts';
import { findStanding, findStandingRevision, insertHistoryRow } from './reveal-repository.ts';
import type { Revision } from './reveal-repository.ts';

export interface Revealed {
  readonly actor: Actor;
  readonly origin: Origin;
  /** Where the field was found when the request came. */
  readonly place: { readonly groupId: string; readonly entryId: string; readonly fieldId: string };
  readonly rev: number;
}

const MASS = { reveals: 200, windowMs: 10 * 60_000 } as const;

const counterOf = ({ userId }: Pick<Actor, 'userId'>) => `reveal:${userId}`;

/** What the act of a reveal keeps: what one person reveals is counted in one transaction at a time. */
export const revealsOf = (actor: Pick<Actor, 'userId'>): Kept => ({ counter: counterOf(actor) });

/**
 * Judges once more, inside the act, that the person may see it and that it still lives: a key derivation lies between the request and this. Puts it on
 * record then. The act keeps `revealsOf` the person, or is alone.
 * @throws AppError `not_found`, `forbidden`
 */
export async function witnessReveal(tx: Transact, deps: Pick<Deps, 'newId' | 'clock'>, revealed: Revealed) {
  const standing = await findStanding(tx, revealed.actor.userId, revealed.place);
  if (standing === undefined) throw new AppError('not_found');
  if (!can(standing.role, 'field.reveal')) throw new AppError('forbidden');
  await record(tx, deps, revealed);
}

/**
 * As `witnessReveal`, for whoever gets the sealed revision itself: judged and read at once.
 * @throws AppError `not_found`, also when the field has no such revision, `forbidden`
 */
export async function witnessRelease(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  revealed: Revealed,
): Promise<Revision> {
  const { actor, place, rev } = revealed;
  const found = await findStandingRevision(tx, actor.userId, place, rev);
  if (found === undefined) throw new AppError('not_found');
  if (!can(found.role, 'field.reveal')) throw new AppError('forbidden');
  await record(tx, deps, revealed);
  return found;
}

/** Writes *H* `decrypted` and *A* `field_revealed`; the 201st of ten minutes also raises *A* `mass_reveal`, and is not refused for it. */
async function record(tx: Transact, deps: Pick<Deps, 'newId' | 'clock'>, revealed: Revealed): Promise<void> {
  const { actor, origin, place, rev } = revealed;
  const { fieldId } = place;
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
  const { failures: reveals } = await addKeptAttempt(tx, counterOf(actor), MASS.windowMs, now);
  if (reveals > MASS.reveals) await raiseOnce(tx, deps, revealed);
}

/**
 * One alarm for as long as it goes on, which is written down once in each part of the window. Clocks of several instances differ a little, so that no single
 * number is sure to be the one that crosses the limit.
 */
async function raiseOnce(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  { actor, origin }: Revealed,
): Promise<void> {
  const [key, now] = [`mass-reveal:${actor.userId}`, deps.clock.now()];
  const isWrittenDown = async () => {
    const counting = await countingAttempts(tx, key, now);
    const until = counting.at(-1)?.blocked_until ?? 0;
    return until > now + MASS.windowMs - partOf(MASS.windowMs);
  };
  if (await isWrittenDown()) return;
  await inTurn(tx, async () => {
    if (await isWrittenDown()) return;
    const { failures: beyond } = await addKeptAttempt(tx, key, MASS.windowMs, now);
    if (beyond === 1) await recordEvent(tx, deps, { event_type: 'mass_reveal', actor, origin });
  });
}
