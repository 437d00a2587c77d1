/** What a link of the audit chain covers (threats §3.1.21). A change of these bytes would break every chain there is. */
import { encodePieces } from '@passwordbroker/core/crypto/bytes';
import type { Tables } from '../db/schema.ts';
import { sha256 } from '../platform/secrets.ts';

export type AuditLogRow = Tables['audit_log'];
export type ChainRow = Tables['audit_chain'];

/** Place in the chain, told as `seq:hash` where a person or a machine keeps it. */
export interface ChainHead {
  readonly seq: number;
  /** SHA-256 in hex. */
  readonly hash: string;
}

/**
 * A published head, with the hex public key of this process that verifies its checkpoints
 * (`checkpoint.ts`).
 */
export interface PublishedHead extends ChainHead {
  readonly key: string;
}

/** What the first link follows. */
export const BEGINNING = Buffer.alloc(32);

const COLUMNS = [
  'audit_id',
  'created_at',
  'event_type',
  'user_id',
  'login',
  'target_type',
  'target_id',
  'address',
  'agent_hash',
  'details',
] as const satisfies readonly (keyof AuditLogRow)[];

/** `SHA-256(PAE([seq, prev, column, …]))`, each column as JSON, so that null and an empty text differ. */
export function hashOfLink(seq: number, prev: Uint8Array, row: AuditLogRow): Buffer {
  return sha256(encodePieces([String(seq), prev, ...COLUMNS.map((column) => JSON.stringify(row[column]))]));
}

export const headText = ({ seq, hash }: ChainHead): string => `${seq}:${hash}`;
