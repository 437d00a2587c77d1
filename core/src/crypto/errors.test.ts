import { expect, test } from 'vitest';
import { CryptoError } from './errors.ts';

test('an error tells its code, and the number of the chunk where there is one', () => {
  const plain = new CryptoError('commit');
  expect([plain.name, plain.code, plain.message, plain.index]).toEqual(['CryptoError', 'commit', 'commit', undefined]);
  const first = new CryptoError('file_chunk', 0);
  expect([first.code, first.message, first.index]).toEqual(['file_chunk', 'file_chunk 0', 0]);
  expect(first).toBeInstanceOf(Error);
});
