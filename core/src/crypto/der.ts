/** Returns views of the input; null if malformed. */

import type { Bytes } from './bytes.ts';

export interface DerElement {
  readonly tag: number;
  readonly content: Bytes;
}

export const DER = { integer: 0x02, octets: 0x04, null: 0x05, oid: 0x06, sequence: 0x30 } as const;

/** The elements must fill `bytes`, with lengths in their shortest form. */
export function readDer(bytes: Bytes): DerElement[] | null {
  const elements: DerElement[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1];
    if (first === undefined || (tag & 0x1f) === 0x1f) return null;
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    const length = lengthBytes === 0 ? first : readLength(bytes.subarray(at + 2, at + 2 + lengthBytes), lengthBytes);
    if (length === null || first === 0x80) return null;
    const start = at + 2 + lengthBytes;
    if (start + length > bytes.length) return null;
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

export function readSequence(element: DerElement | undefined): DerElement[] | null {
  return element?.tag === DER.sequence ? readDer(element.content) : null;
}

/** Non-negative, without its leading zero byte. */
export function readUnsigned(element: DerElement | undefined): Bytes | null {
  if (element?.tag !== DER.integer) return null;
  const [first, second] = element.content;
  if (first === undefined || first >= 0x80) return null;
  if (first !== 0) return element.content;
  if (second === undefined) return element.content;
  return second >= 0x80 ? element.content.subarray(1) : null;
}

function readLength(bytes: Uint8Array, expected: number): number | null {
  if (bytes.length !== expected || expected > 4 || bytes[0] === 0) return null;
  const length = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  return length < 0x80 ? null : length;
}
