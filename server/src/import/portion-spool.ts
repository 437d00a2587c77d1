/** Checked portions that wait to be written. Each is kept as bytes: as objects a batch of the largest size would take several times the memory. */
import { deserialize, serialize } from 'node:v8';
import type { RowPortion } from './batch-rows.ts';

export interface PortionSpool {
  add(portion: RowPortion): void;
  /** In the order in which they were added; each is gone from here when it is taken. */
  taken(): Generator<RowPortion>;
}

export function portionSpool(): PortionSpool {
  const waiting: (Buffer | null)[] = [];
  return {
    add(portion) {
      waiting.push(packed(portion));
    },
    *taken() {
      for (const [at, bytes] of waiting.entries()) {
        waiting[at] = null;
        if (bytes !== null) yield deserialize(bytes) as RowPortion;
      }
    },
  };
}

/** The serializer leaves room to grow, of up to the length of what it wrote. */
const packed = (portion: RowPortion): Buffer => Buffer.from(serialize(portion));
