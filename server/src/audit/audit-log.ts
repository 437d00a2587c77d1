/** The audit log (docs/spec/decisions.md H2): ids, never values or titles. */
import type { AuditEvent } from '@passwordbroker/core/contract/site/audit-events';
import type { Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { insertAuditRow, insertAuditRows } from './audit-log-repository.ts';

export interface AuditEntry {
  readonly event_type: AuditEvent;
  readonly actor: Pick<Actor, 'userId' | 'email'> | null;
  /** E-mail of the affected account if no one is signed in. */
  readonly login?: string;
  readonly target_type?: string;
  readonly target_id?: string;
  readonly origin: Origin;
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Origin of events without a request. */
export const BY_ITSELF: Origin = { address: '', agentHash: null, userAgent: '' };

/** Call in the transaction of the change. */
export async function recordEvent(tx: Transact, deps: Pick<Deps, 'clock' | 'newId'>, entry: AuditEntry): Promise<void> {
  await insertAuditRow(tx, rowOf(deps, entry));
}

export async function recordEvents(
  tx: Transact,
  deps: Pick<Deps, 'clock' | 'newId'>,
  entries: readonly AuditEntry[],
): Promise<void> {
  await insertAuditRows(
    tx,
    entries.map((entry) => rowOf(deps, entry)),
  );
}

function rowOf(deps: Pick<Deps, 'clock' | 'newId'>, entry: AuditEntry): Tables['audit_log'] {
  return {
    audit_id: deps.newId(),
    created_at: deps.clock.now(),
    event_type: entry.event_type,
    user_id: entry.actor?.userId ?? null,
    login: entry.actor?.email ?? entry.login ?? null,
    target_type: entry.target_type ?? null,
    target_id: entry.target_id ?? null,
    address: entry.origin.address,
    agent_hash: entry.origin.agentHash,
    details: entry.details === undefined ? null : JSON.stringify(entry.details),
  };
}
