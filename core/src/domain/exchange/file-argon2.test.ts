import { expect, test } from 'vitest';
import { argon2idWasm } from '../../crypto/argon2/argon2-wasm.ts';
import { encodeHex, utf8 } from '../../crypto/bytes.ts';
import { fileArgon2 } from './file-argon2.ts';

const PROFILE = { memoryKib: 1024, iterations: 2, parallelism: 2 };
const given = { password: utf8('correct horse'), salt: utf8('sixteen bytes...'), ...PROFILE, length: 32 };

test('Argon2id is that of our own keys; Argon2d is another', async () => {
  const own = await argon2idWasm(given.password, given.salt, PROFILE);
  const id = await fileArgon2({ type: 'argon2id', ...given });
  expect(encodeHex(id)).toBe(encodeHex(own));
  const d = await fileArgon2({ type: 'argon2d', ...given });
  expect([d.length, encodeHex(d) === encodeHex(own)]).toEqual([32, false]);
});
