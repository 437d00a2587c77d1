/**
 * Content of a link of the audit chain (docs/spec/threats.md §3.1.21). Changing these bytes would break every
 * existing chain.
 */
import { encodePieces } from '@passwordbroker/core/crypto/bytes';
import type { Tables } from '../../db/schema/tables.ts';
import { sha256 } from '../../platform/secrets.ts';

export type AuditLogRow = Tables['audit_log'];
export type ChainRow = Tables['audit_chain'];

/** Position in the chain, published as `seq:hash`. */
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

/** Previous hash of the first link. */
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

/** `SHA-256(PAE([seq, prev, column, …]))`; columns are JSON, so that null and '' differ. */
export function hashOfLink(seq: number, prev: Uint8Array, row: AuditLogRow): Buffer {
  return sha256(encodePieces([String(seq), prev, ...COLUMNS.map((column) => JSON.stringify(row[column]))]));
}

export const headText = ({ seq, hash }: ChainHead): string => `${seq}:${hash}`;
