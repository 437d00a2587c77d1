import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Hash } from 'node:crypto';

/** SHA-256, 32 bytes. */
export const digest = (message: string | Uint8Array): Buffer => hash('sha256', message, 'buffer');

/** Incremental SHA-256. */
export const runningDigest = (): Hash => createHash('sha256');

/** HMAC-SHA-256 (RFC 2104), 32 bytes. */
export const authenticate = (key: string | Uint8Array, message: string | Uint8Array): Buffer =>
  createHmac('sha256', key).update(message).digest();

/** Compares in constant time; texts of different lengths differ. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
