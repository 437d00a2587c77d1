import { describe, expect, test } from 'vitest';
import { findLeaks } from '../server/src/testing/leaks.ts';

/** The leak detector finds a secret in every encoding that it supports. */
describe('the leak detector', () => {
  const secret = 'Zq7!correct-horse_99';
  const bytes = Buffer.from(secret);
  const around = (planted: string | Buffer) =>
    Buffer.concat([Buffer.from('{"a":"xy'), Buffer.from(planted), Buffer.from('zz"}')]);
  test.each([
    ['raw', secret],
    ['a part of it', secret.slice(5, 14)],
    ['reversed', [...secret].reverse().join('')],
    ['hex', bytes.toString('hex')],
    ['upper-case hex', bytes.toString('hex').toUpperCase()],
    ['percent', [...bytes].map((byte) => `%${byte.toString(16)}`).join('')],
    ['base64', bytes.toString('base64')],
    ['base64, shifted by one', Buffer.concat([Buffer.from('k'), bytes]).toString('base64')],
    ['base64, shifted by two', Buffer.concat([Buffer.from('kk'), bytes]).toString('base64')],
    ['base64url', bytes.toString('base64url')],
    ['UTF-16 little endian', Buffer.from(secret, 'utf16le')],
    ['UTF-16 big endian', Buffer.from(secret, 'utf16le').swap16()],
  ])('finds a planted secret: %s', (_, planted) => {
    expect(findLeaks({ secret: bytes }, { request: around(planted) })).toEqual([
      { secret: 'secret', where: 'request' },
    ]);
  });

  test('reports nothing without a secret', () => {
    expect(findLeaks({ secret: bytes }, { request: around('something else entirely, 0123456789abcdef') })).toEqual([]);
  });
});
