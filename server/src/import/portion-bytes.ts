/** A portion of checked rows as bytes, and back. As objects a batch of the largest size would take several times the memory. */
import { deserialize, serialize } from 'node:v8';
import { countRows } from '../db/packed-rows.ts';
import type { PortionBytes, RowPortion } from './batch-rows.ts';

type Portion = RowPortion | PortionBytes;

export const countsOf = (portion: Portion): PortionBytes['counts'] =>
  'counts' in portion ? portion.counts : { fields: countRows(portion.fields), revisions: countRows(portion.revisions) };

/** The bytes have their memory for themselves, so it can be handed over. */
export function asBytes(portion: Portion): PortionBytes {
  if ('counts' in portion) return portion;
  const { buffer, byteOffset, length } = serialize(portion);
  return { counts: countsOf(portion), bytes: new Uint8Array(buffer as ArrayBuffer, byteOffset, length) };
}

export const asRows = (portion: Portion): RowPortion =>
  'counts' in portion ? (deserialize(portion.bytes) as RowPortion) : portion;
