/** Serialised, because objects take several times the memory. */
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { countRows, type PackedRows } from '../db/bulk/packed-rows.ts';
import { addedByRows } from '../fields/storage.ts';
import { spoolFolder } from '../http/body/spool.ts';
import type { RowPortion } from './checked-rows.ts';
import type { JobParts } from './import-job.ts';

type Revisions = PackedRows<'field_revisions'>;

/** `stored` counts for the quota of the importer. */
export const countsOf = ({ revisions }: RowPortion) => ({
  revisions: countRows(revisions),
  stored: addedByRows(revisions),
});

export const asBytes = (portion: RowPortion): Uint8Array =>
  serialize({ ...portion, revisions: gathered(portion.revisions) });

export function asRows(bytes: Uint8Array): RowPortion {
  const read = deserialize(bytes) as Omit<RowPortion, 'revisions'> & { readonly revisions: Gathered };
  return { ...read, revisions: scattered(read.revisions) };
}

/** Removes each portion before it is read. */
export function* takeRows(waiting: Uint8Array[]): Generator<RowPortion> {
  for (let bytes = waiting.shift(); bytes !== undefined; bytes = waiting.shift()) yield asRows(bytes);
}

/** Portions that wait to be written. */
export interface WaitingPortions {
  push(portion: RowPortion): void;
  /** Removes each portion before it is read. */
  take(): Generator<RowPortion>;
  close(): Promise<void>;
}

export function waitingInMemory(): WaitingPortions {
  const waiting: Uint8Array[] = [];
  return {
    push: (portion) => void waiting.push(asBytes(portion)),
    take: () => takeRows(waiting),
    async close() {},
  };
}

/** Of an import in parts. Removed when its thread has ended, or at the next start. */
export const fileOfRows = ({ dataDir, operationId }: Pick<JobParts, 'dataDir' | 'operationId'>) =>
  join(spoolFolder(dataDir), operationId);

/** For an import in parts, which may be larger than the memory. @param path of a new file */
export function waitingInFile(path: string): WaitingPortions {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'wx+', 0o600);
  const sizes: number[] = [];
  return {
    push(portion) {
      const bytes = asBytes(portion);
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
      sizes.push(bytes.length);
    },
    *take() {
      let at = 0;
      for (const size of sizes.splice(0)) {
        const bytes = Buffer.allocUnsafeSlow(size);
        for (let read = 0; read < size;) {
          const some = readSync(file, bytes, read, size - read, at + read);
          if (some === 0) throw new Error('A file of waiting rows is too short');
          read += some;
        }
        at += size;
        yield asRows(bytes);
      }
    },
    async close() {
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}

/** All sealed values in one buffer: objects are larger than the row. */
interface Gathered {
  readonly rows: Revisions;
  readonly places: Uint32Array;
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

/** The next call overwrites the result. */
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
