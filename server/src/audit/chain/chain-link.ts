/** Changing the hashed bytes breaks existing chains (docs/spec/threats.md §3.1.21). */
import { encodePieces } from '@passwordbroker/core/crypto/bytes';
import type { Tables } from '../../db/schema/tables.ts';
import { sha256 } from '../../platform/secrets.ts';

export type AuditLogRow = Tables['audit_log'];
export type ChainRow = Tables['audit_chain'];

export interface ChainHead {
  readonly seq: number;
  /** SHA-256 in hex. */
  readonly hash: string;
}

/** `key`: hex public key that verifies this process's checkpoints. */
export interface PublishedHead extends ChainHead {
  readonly key: string;
}

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
