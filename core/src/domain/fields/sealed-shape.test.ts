/** Checks of a server on sealed bytes (docs/spec/crypto.md §19.2–§19.6). */
import { describe, expect, test } from 'vitest';
import { type Bytes, encodeBase64 } from '../../crypto/bytes.ts';
import { KIND, type Kind } from '../../crypto/seal.ts';
import { sealedBodySize } from '../../crypto/stream.ts';
import {
  isBodyShape,
  isGroupSecretWrapShape,
  isKeysetShape,
  isSiteShape,
  isSlotShape,
  isValueShape,
  isVectorOf,
  isWrappedContentKeyShape,
} from './sealed-shape.ts';

const blob = (kind: Kind, length: number): Bytes => {
  const bytes = new Uint8Array(length);
  bytes.set([0x50, 0x42, 0x31, KIND[kind]].slice(0, length));
  return bytes;
};

describe('the form of', () => {
  test.each([
    ['slot', isSlotShape, [116], [0, 3, 84, 115, 117, 180]],
    ['cek', isWrappedContentKeyShape, [116], [0, 84, 115, 117, 180]],
    ['keyset', isKeysetShape, [84, 2574, 8192], [0, 83, 8193]],
    ['value', isValueShape, [212, 276, 1_441_876], [0, 84, 148, 211, 213, 1_441_940]],
    ['site', isSiteShape, [212, 276, 1108], [0, 84, 148, 211, 213, 1172]],
  ] as const)('a %s: header and length', (kind, isShape, good, bad) => {
    for (const length of good) expect(isShape(blob(kind, length)), String(length)).toBe(true);
    for (const length of bad) expect(isShape(blob(kind, length)), String(length)).toBe(false);
    const [length] = good;
    for (const other of Object.keys(KIND) as Kind[]) expect(isShape(blob(other, length))).toBe(other === kind);
    for (let at = 0; at < 4; at += 1) {
      const changed = blob(kind, length);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(isShape(changed)).toBe(false);
    }
  });

  test('an initialization vector: bytes 4 to 35 of the value', () => {
    const value = Uint8Array.from({ length: 212 }, (_, at) => at);
    const vector = encodeBase64(value.slice(4, 36));
    expect(isVectorOf(vector, value)).toBe(true);
    for (const other of [value.slice(3, 35), value.slice(4, 35), value.slice(4, 37), new Uint8Array(0)]) {
      expect(isVectorOf(encodeBase64(other), value)).toBe(false);
    }
    for (const spelled of [vector.slice(0, -1), ` ${vector}`, `${vector}=`])
      expect(isVectorOf(spelled, value)).toBe(false);
  });

  test('a wrapped group secret has the length of the modulus', () => {
    expect(isGroupSecretWrapShape(new Uint8Array(384), 3072)).toBe(true);
    expect(isGroupSecretWrapShape(new Uint8Array(512), 4096)).toBe(true);
    expect(isGroupSecretWrapShape(new Uint8Array(384), 4096)).toBe(false);
    expect(isGroupSecretWrapShape(new Uint8Array(0), 3072)).toBe(false);
  });

  test.each([
    [0, 52],
    [1, 53],
    [65_535, 65_587],
    [65_536, 65_588],
    [65_537, 65_605],
    [131_072, 131_140],
    [26_214_400, 26_220_836],
  ])('a file body of %i bytes takes %i', (size, length) => {
    const start = new Uint8Array(36);
    start.set([0x50, 0x42, 0x46, 0x31]);
    expect(sealedBodySize(size)).toBe(length);
    expect(isBodyShape(start, length, size)).toBe(true);
    for (const other of [length - 1, length + 1, 0]) expect(isBodyShape(start, other, size)).toBe(false);
    expect(isBodyShape(new Uint8Array(36), length, size)).toBe(false);
    expect(isBodyShape(start.slice(0, 35), length, size)).toBe(false);
  });
});
