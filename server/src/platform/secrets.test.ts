import { expect, test } from 'vitest';
import { discard } from './ids-and-digests.ts';

test('discarded bytes are empty and can be discarded again', () => {
  const bytes = new Uint8Array(1000).fill(7);
  discard(bytes);
  expect([bytes.length, bytes.buffer.byteLength]).toEqual([0, 0]);
  expect(() => discard(bytes)).not.toThrow();
  expect(() => discard(new Uint8Array(0))).not.toThrow();
});
