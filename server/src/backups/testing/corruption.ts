/**
 * Random damage, reproducible by seed: a changed bit or byte, a removed, doubled or zeroed piece, a truncated
 * end or appended bytes.
 */
import type { Chance } from '../../authorisation/testing/seeded.ts';

export interface Damage {
  readonly name: string;
  readonly bytes: Buffer;
}

export function corrupted(whole: Buffer, chance: Chance): Damage {
  const at = chance.below(whole.length);
  const length = 1 + chance.below(Math.min(4096, whole.length - at));
  const kind = chance.of(['bit', 'bit', 'bit', 'byte', 'zeros', 'cut', 'doubled', 'end', 'more'] as const);
  return { name: `${kind} at ${at}`, bytes: damageOf(whole, { kind, at, length, bit: chance.below(8) }) };
}

interface ByteChange {
  readonly kind: 'bit' | 'byte' | 'zeros' | 'cut' | 'doubled' | 'end' | 'more';
  readonly at: number;
  readonly length: number;
  readonly bit: number;
}

function damageOf(whole: Buffer, { kind, at, length, bit }: ByteChange): Buffer {
  const piece = whole.subarray(at, at + length);
  const around = (middle: Buffer) => Buffer.concat([whole.subarray(0, at), middle, whole.subarray(at + length)]);
  switch (kind) {
    case 'bit':
    case 'byte': {
      const changed = Buffer.from(whole);
      changed[at] = (whole[at] ?? 0) ^ (kind === 'bit' ? 1 << bit : 0xff);
      return changed;
    }
    case 'zeros':
      return piece.every((byte) => byte === 0) ? around(Buffer.alloc(0)) : around(Buffer.alloc(length));
    case 'cut':
      return around(Buffer.alloc(0));
    case 'doubled':
      return around(Buffer.concat([piece, piece]));
    case 'end':
      return Buffer.from(whole.subarray(0, at));
    case 'more':
      return Buffer.concat([whole, piece]);
  }
}
