/** Checked portions that wait to be written. Each is kept as bytes: as objects a batch of the largest size would take several times the memory. */
import { deserialize, serialize } from 'node:v8';
import type { RowPortion } from './batch-rows.ts';

interface PortionSpool {
  add(portion: RowPortion): void;
  /** In the order in which they were added; each is gone from here when it is taken. */
  taken(): Generator<RowPortion>;
}

export function portionSpool(): PortionSpool {
  const waiting: (Buffer | null)[] = [];
  return {
    add(portion) {
      waiting.push(serialize(portion));
    },
    *taken() {
      for (const [at, bytes] of waiting.entries()) {
        waiting[at] = null;
        if (bytes !== null) yield deserialize(bytes) as RowPortion;
      }
    },
  };
}
