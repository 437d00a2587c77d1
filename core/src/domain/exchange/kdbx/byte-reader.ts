import type { Bytes } from '../../../crypto/bytes.ts';
import { ExchangeError } from '../exchange-error.ts';

/** Numbers are little-endian. Each call throws ExchangeError where the bytes end before. */
export interface ByteReader {
  /** A copy. */
  take(length: number): Bytes;
  u8(): number;
  u16(): number;
  u32(): number;
  /** Bytes read so far. */
  at(): number;
  left(): number;
}

export function byteReader(bytes: Uint8Array): ByteReader {
  let at = 0;
  const take = (length: number): Bytes => {
    if (length > bytes.length - at) throw ExchangeError.unreadable('it is cut off');
    at += length;
    return new Uint8Array(bytes.subarray(at - length, at));
  };
  return {
    take,
    u8: () => viewOf(take(1)).getUint8(0),
    u16: () => viewOf(take(2)).getUint16(0, true),
    u32: () => viewOf(take(4)).getUint32(0, true),
    at: () => at,
    left: () => bytes.length - at,
  };
}

export const viewOf = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

export const damaged = (): ExchangeError => ExchangeError.unreadable('it is damaged');
