/**
 * Audits refusals without letting them fill the log (T150): the first of a person, route and code is a row at
 * once; repeats become one row each minute.
 */
import type { Transact } from '../db/database.ts';
import type { Deps } from '../http/context.ts';
import { recordEvent, recordEvents, type AuditEntry } from './audit-log.ts';
import { addRefusals, takeCountedRefusals } from './audit-log-repository.ts';

export interface Refusal extends Pick<AuditEntry, 'target_type' | 'target_id' | 'origin'> {
  readonly actor: NonNullable<AuditEntry['actor']>;
  /** Path template, without ids. */
  readonly route: string;
  readonly method: string;
  readonly code: string;
}

/** `code` of calls from an address that the service account does not allow. */
export const SERVICE_ADDRESS = 'service_address';

const eventOf = (code: string) => (code === SERVICE_ADDRESS ? 'service_refused' : 'access_refused');

type Parts = Pick<Deps, 'db' | 'clock' | 'newId'>;

/** In the caller's transaction. */
export async function recordRefusals(
  tx: Transact,
  deps: Pick<Parts, 'clock' | 'newId'>,
  refusal: Refusal,
  count = 1,
): Promise<void> {
  const { actor, origin, route, method, code, ...target } = refusal;
  const isFirst = await addRefusals(tx, {
    user_id: actor.userId,
    login: actor.email,
    route,
    method,
    code,
    address: origin.address,
    agent_hash: origin.agentHash,
    first_at: deps.clock.now(),
    last_at: deps.clock.now(),
    repeats: count - 1,
  });
  if (!isFirst) return;
  const details = { route, method, code };
  await recordEvent(tx, deps, { event_type: eventOf(code), actor, origin, ...target, details });
}

/** The returned function uses its own transaction and resolves after the commit. */
export function refusalRecorder(deps: Parts): (refusal: Refusal) => Promise<void> {
  // One transaction at a time by key; later refusals join the next.
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, { count: number; readonly written: Promise<void> }>();

  const write = (key: string, refusal: Refusal, count: number) => {
    const written = deps.db.transactBeside((tx) => recordRefusals(tx, deps, refusal, count));
    const over = written
      .catch(() => {})
      .then(() => {
        if (running.get(key) === over) running.delete(key);
      });
    running.set(key, over);
    return written;
  };
  return (refusal) => {
    const key = JSON.stringify([refusal.actor.userId, refusal.route, refusal.method, refusal.code]);
    const before = running.get(key);
    if (before === undefined) return write(key, refusal, 1);
    const joined = next.get(key);
    if (joined !== undefined) {
      joined.count += 1;
      return joined.written;
    }
    const written = before.then(() => {
      const { count } = next.get(key) ?? { count: 1 };
      next.delete(key);
      return write(key, refusal, count);
    });
    next.set(key, { count: 1, written });
    return written;
  };
}

/** Writes counters as rows and resets them. */
export async function writeCountedRefusals(tx: Transact, deps: Pick<Parts, 'clock' | 'newId'>): Promise<void> {
  const counted = await takeCountedRefusals(tx);
  const repeated = counted.filter(({ repeats }) => repeats > 0);
  await recordEvents(
    tx,
    deps,
    repeated.map(({ user_id, login, address, agent_hash, route, method, code, repeats, first_at, last_at }) => ({
      event_type: eventOf(code),
      actor: { userId: user_id, email: login },
      origin: { address: address, agentHash: agent_hash, userAgent: '', client: null },
      details: {
        route,
        method,
        code,
        count: repeats,
        from: new Date(first_at).toISOString(),
        to: new Date(last_at).toISOString(),
      },
    })),
  );
}
