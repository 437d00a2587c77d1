/**
 * Links of the audit chain, and checkpoints (ADR 18): sealed rows that name the last removed link. The signing
 * key exists in memory only; its public key is published with each head.
 */
import { decodeHex, encodeHex, encodePieces, randomBytes, wipe } from '@passwordbroker/core/crypto/bytes';
import { checkPublicKey, importSigningKey, publicKeyOf, sign, verify } from '@passwordbroker/core/crypto/ed25519';
import type { Tables } from '../../db/schema/tables.ts';
import { sha256 } from '../../platform/ids-and-digests.ts';

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

/**
 * `SHA-256(PAE([seq, prev, column, …]))`; columns are JSON, so that null and '' differ. Changing the hashed
 * bytes breaks existing chains (docs/spec/threats.md §3.1.21).
 */
export function hashOfLink(seq: number, prev: Uint8Array, row: AuditLogRow): Buffer {
  return sha256(encodePieces([String(seq), prev, ...COLUMNS.map((column) => JSON.stringify(row[column]))]));
}

export const headText = ({ seq, hash }: ChainHead): string => `${seq}:${hash}`;

interface Statement extends ChainHead {
  /** Rows before this time were removed (ISO 8601). */
  readonly before: string;
}

export interface Checkpoint extends Statement {
  /** Ed25519, in hex. */
  readonly key: string;
  readonly signature: string;
}

export interface CheckpointSigner {
  readonly key: string;
  sign(statement: Statement): Promise<Checkpoint>;
}

const bytesOf = ({ seq, hash, before }: Statement) =>
  encodePieces(['pb1:audit-checkpoint', String(seq), decodeHex(hash), before]);

export async function makeSigner(): Promise<CheckpointSigner> {
  const seed = randomBytes(32);
  const key = encodeHex(await publicKeyOf(seed));
  const signing = await importSigningKey(seed);
  wipe(seed);
  return {
    key,
    async sign(statement) {
      return { ...statement, key, signature: encodeHex(await sign(signing, bytesOf(statement))) };
    },
  };
}

export async function isSigned(checkpoint: Checkpoint): Promise<boolean> {
  const key = decodeHex(checkpoint.key);
  try {
    checkPublicKey(key);
  } catch {
    return false;
  }
  return verify(key, bytesOf(checkpoint), decodeHex(checkpoint.signature));
}

/** Returns null if the details are no checkpoint. */
export function readCheckpoint(details: string | null): Checkpoint | null {
  const { seq, hash, before, key, signature } = objectIn(details);
  const isOne =
    Number.isSafeInteger(seq) &&
    [hash, key].every((hex) => /^[0-9a-f]{64}$/.test(String(hex))) &&
    /^[0-9a-f]{128}$/.test(String(signature)) &&
    typeof before === 'string';
  return isOne ? ({ seq, hash, before, key, signature } as Checkpoint) : null;
}

function objectIn(text: string | null): Partial<Checkpoint> {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as Partial<Checkpoint>;
  } catch {
    return {};
  }
}
