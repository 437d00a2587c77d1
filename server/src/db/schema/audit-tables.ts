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

/** The chain link of one audit row (`audit/chain/checkpoint.ts`). */
export interface AuditChainTable {
  /** 1, 2, 3 … without a gap. */
  seq: number;
  audit_id: string;
  /** Hash of the link before. */
  prev: Buffer;
  hash: Buffer;
}

/** Audit rows without a link: inserted by a trigger, removed by the sealer. */
export interface AuditUnsealedTable {
  audit_id: string;
}

export interface AuditPushTable {
  receiver: 'syslog' | 'webhook';
  /** Newest link that the receiver has. */
  seq: number;
}

/** Counts repeated refusals until they are logged (`audit/refusals.ts`). */
export interface RefusalCountTable {
  user_id: string;
  /** Path template, for example `/groups/:g`. */
  route: string;
  method: string;
  code: string;
  login: string;
  /** Of the last refusal, like `agent_hash`. */
  address: string;
  agent_hash: string | null;
  first_at: Millis;
  last_at: Millis;
  /** Refusals after the first one. */
  repeats: number;
}

/** Leases of jobs that only one process may run at a time (`platform/leases/`). */
export interface LeaseTable {
  name: string;
  /** Process that holds the lease, or null. */
  owner: string | null;
  /** Increases with every renewal and change of the owner. */
  heartbeat: number;
  due_at: Millis;
}
