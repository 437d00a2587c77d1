/** A portion of checked rows as bytes, and back. As objects a batch of the largest size would take several times the memory. */
import { deserialize, serialize } from 'node:v8';
import { countRows } from '../db/packed-rows.ts';
import type { PackedRows } from '../db/packed-rows.ts';
import { addedByRows } from '../fields/quota.ts';
import type { PortionBytes, PortionCounts, RowPortion } from './batch-rows.ts';

type Portion = RowPortion | PortionBytes;
type Revisions = PackedRows<'field_revisions'>;

export function countsOf(portion: Portion): PortionCounts {
  if ('counts' in portion) return portion.counts;
  const { fields, revisions } = portion;
  return { fields: countRows(fields), revisions: countRows(revisions), stored: addedByRows(revisions) };
}

/** The bytes have their memory for themselves, so it can be handed over. */
export function asBytes(portion: Portion): PortionBytes {
  if ('counts' in portion) return portion;
  const { buffer, byteOffset, length } = serialize({ ...portion, revisions: gathered(portion.revisions) });
  return { counts: countsOf(portion), bytes: new Uint8Array(buffer as ArrayBuffer, byteOffset, length) };
}

export function asRows(portion: Portion): RowPortion {
  if (!('counts' in portion)) return portion;
  const read = deserialize(portion.bytes) as Omit<RowPortion, 'revisions'> & { readonly revisions: Gathered };
  return { ...read, revisions: scattered(read.revisions) };
}

/** Rows whose sealed values stand one behind the other: each as an object of its own costs more than all the rest of its row. */
interface Gathered {
  /** With null in the places of the sealed values. */
  readonly rows: Revisions;
  /** Which of the values are sealed ones. */
  readonly places: Uint32Array;
  /** Where each of them ends. */
  readonly ends: Uint32Array;
  readonly sealed: Uint8Array;
}

function gathered(rows: Revisions): Gathered {
  const places: number[] = [];
  const ends: number[] = [];
  const pieces: Uint8Array[] = [];
  let length = 0;
  const values = rows.values.map((value, at) => {
    if (!(value instanceof Uint8Array)) return value;
    places.push(at);
    pieces.push(value);
    ends.push((length += value.length));
    return null;
  });
  const sealed = behindEachOther(pieces, length);
  return { rows: { ...rows, values }, places: Uint32Array.from(places), ends: Uint32Array.from(ends), sealed };
}

let room = Buffer.alloc(0);

/** In room that the next portion takes again: it is copied at once, and as garbage it would be a tenth of an import's memory. */
function behindEachOther(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (room.length < length) room = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) {
    room.set(piece, at);
    at += piece.length;
  }
  return room.subarray(0, length);
}

function scattered({ rows, places, ends, sealed }: Gathered): Revisions {
  const values = [...rows.values];
  for (const [at, place] of places.entries()) {
    const start = at === 0 ? 0 : (ends[at - 1] ?? 0);
    values[place] = Buffer.from(sealed.buffer, sealed.byteOffset + start, (ends[at] ?? 0) - start);
  }
  return { ...rows, values };
}
