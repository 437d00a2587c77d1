import { expect, test } from 'vitest';
import { CryptoError } from './errors.ts';

test('the message contains the code and the index of the chunk, if any', () => {
  const plain = new CryptoError('commit');
  expect([plain.name, plain.code, plain.message, plain.index]).toEqual(['CryptoError', 'commit', 'commit', undefined]);
  const first = new CryptoError('file_chunk', 0);
  expect([first.code, first.message, first.index]).toEqual(['file_chunk', 'file_chunk 0', 0]);
  expect(first).toBeInstanceOf(Error);
});
