/** P28: a key proof is valid for one roster, group, version and secret only. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBase64, utf8, type Bytes } from '../../crypto/bytes.ts';
import type { GroupSecret } from '../groups/grants.ts';
import { isProofOf, proveRoster } from './roster.ts';

const secretOf = (bytes: Uint8Array) => new Uint8Array(bytes) as Bytes as GroupSecret;
const list = {
  groupId: '10000000-0000-4000-8000-000000000001',
  version: 2,
  rosterBase64: encodeBase64(utf8('{"v":1}')),
};

test('P28 another roster, group, version or secret gives another proof', async () => {
  const bytes = fc.uint8Array({ minLength: 64, maxLength: 64 });
  await fc.assert(
    fc.asyncProperty(bytes, bytes, fc.string(), async (one, other, text) => {
      const secret = secretOf(one);
      const proof = await proveRoster(secret, list);
      expect(await isProofOf(proof, secret, list)).toBe(true);
      const lies = [
        { ...list, version: 3 },
        { ...list, groupId: list.groupId.replace(/1$/, '2') },
        { ...list, rosterBase64: encodeBase64(utf8(`${text}!`)) },
      ];
      for (const lie of lies) expect(await isProofOf(proof, secret, lie)).toBe(false);
      const isSame = one.every((byte, at) => byte === other[at]);
      expect(await isProofOf(proof, secretOf(other), list)).toBe(isSame);
    }),
    { numRuns: 100 },
  );
});

test('a flipped bit, a truncated proof and malformed base64 are wrong', async () => {
  const secret = secretOf(new Uint8Array(64).fill(7));
  const proof = await proveRoster(secret, list);
  const flipped = `${proof.startsWith('A') ? 'B' : 'A'}${proof.slice(1)}`;
  for (const wrong of [flipped, proof.slice(4), '', '*']) expect(await isProofOf(wrong, secret, list)).toBe(false);
});
