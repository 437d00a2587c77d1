/** Tables of the audit log, its hash chain and its receivers; leases of background jobs. */
import type { Millis } from './columns.ts';

export interface AuditLogTable {
  audit_id: string;
  created_at: Millis;
  event_type: string;
  user_id: string | null;
  login: string | null;
  target_type: string | null;
  target_id: string | null;
  address: string | null;
  agent_hash: string | null;
  details: string | null;
}

/** The chain link of one row of the log (`audit/chain/chain-link.ts`). */
export interface AuditChainTable {
  /** 1, 2, 3 … without a gap. */
  seq: number;
  audit_id: string;
  /** Hash of the link before. */
  prev: Buffer;
  hash: Buffer;
}

/** Rows without a link: written by a trigger with the row, removed with the seal. */
export interface AuditUnsealedTable {
  audit_id: string;
}

export interface AuditPushTable {
  receiver: 'syslog' | 'webhook';
  /** Newest link that the receiver has. */
  seq: number;
}

/**
 * Counts repeated refusals of one person, route and reason until they are logged
 * (`audit/refusals.ts`).
 */
export interface RefusalCountTable {
  user_id: string;
  /** Path template of the route, for example `/groups/:g`. */
  route: string;
  method: string;
  code: string;
  login: string;
  /** `agent_hash` of the last refusal. */
  address: string;
  agent_hash: string | null;
  first_at: Millis;
  last_at: Millis;
  /** Refusals after the first one. */
  repeats: number;
}

/** Leases of jobs that only one process may run at a time (`platform/lease.ts`). */
export interface LeaseTable {
  name: string;
  /** Process that holds the lease, or null. */
  owner: string | null;
  /** Increases with every renewal and every change of the owner. */
  heartbeat: number;
  /** When the job is due next. */
  due_at: Millis;
}
