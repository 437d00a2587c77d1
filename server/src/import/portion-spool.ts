/** Checked portions that wait to be written, as bytes. */
import type { PortionBytes, RowPortion } from './batch-rows.ts';
import { asBytes, asRows } from './portion-bytes.ts';

export interface PortionSpool {
  add(portion: RowPortion | PortionBytes): void;
  /** In the order in which they were added; each is gone from here when it is taken. */
  taken(): Generator<RowPortion>;
}

export function portionSpool(): PortionSpool {
  const waiting: (PortionBytes | null)[] = [];
  return {
    add(portion) {
      waiting.push(asBytes(portion));
    },
    *taken() {
      for (const [at, portion] of waiting.entries()) {
        waiting[at] = null;
        if (portion !== null) yield asRows(portion);
      }
    },
  };
}
