/** The audit log (docs/spec/decisions.md H2): ids, never values or titles. */
import type { AuditEvent } from '@passwordbroker/core/contract/site/audit-events';
import type { Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { prepared, preparedList } from '../db/prepared.ts';

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
export const BY_ITSELF: Origin = { address: '', agentHash: null, userAgent: '', client: null };

/** Call in the transaction of the change. */
export async function recordEvent(tx: Transact, deps: Pick<Deps, 'clock' | 'newId'>, entry: AuditEntry): Promise<void> {
  await insertAuditRow(tx, auditRow(deps, entry));
}

export async function recordEvents(
  tx: Transact,
  deps: Pick<Deps, 'clock' | 'newId'>,
  entries: readonly AuditEntry[],
): Promise<void> {
  await ROWS(
    tx,
    entries.map((entry) => auditRow(deps, entry)),
  );
}

export function auditRow(deps: Pick<Deps, 'clock' | 'newId'>, entry: AuditEntry): Tables['audit_log'] {
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

export async function insertAuditRow(tx: Transact, row: Tables['audit_log']): Promise<void> {
  await ROW.all(tx, row);
}

export function columnsOfAuditRow(row: Tables['audit_log']) {
  const { audit_id, created_at, event_type, user_id, login } = row;
  const { target_type, target_id, address, agent_hash, details } = row;
  return { audit_id, created_at, event_type, user_id, login, target_type, target_id, address, agent_hash, details };
}

const ROW = prepared((db, given: Tables['audit_log']) => db.insertInto('audit_log').values(columnsOfAuditRow(given)));

const ROWS = preparedList((db, rows: readonly Tables['audit_log'][]) =>
  db.insertInto('audit_log').values(rows.map(columnsOfAuditRow)),
);
