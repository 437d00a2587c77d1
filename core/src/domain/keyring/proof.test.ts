/**
 * Step-up proofs: P24 (docs/spec/crypto.md §15). The server checks time and reuse; these tests cover the
 * signature.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '#primitives';
import { encodeBase64, randomBytes, utf8 } from '../../crypto/bytes.ts';
import { RUNS } from '../../testing/arbitraries.ts';
import { type TestPerson, somePeople } from '../../testing/keyrings.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { type ProvenRequest, prove, verifyProof } from './proof.ts';

let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  [ada, bob] = await somePeople(2);
});

const NOW = 1_795_219_200_999;
const digest = async (text: string) => sha256(utf8(text));
const request: ProvenRequest = {
  sessionId: crypto.randomUUID(),
  method: 'POST',
  path: '/passwordBroker/api/entryGroups/1/users?x=1',
  bodyDigest: await digest('{"role":"admin"}'),
};
const OTHER_BODY = await digest('{"role":"member"}');
const NO_BODY = await digest('');
const verify = (header: string, change: Partial<ProvenRequest> = {}, person = ada) =>
  verifyProof(header, { ...request, ...change }, person.keyring.identity.ed25519);

describe('P24 a proof', () => {
  test('verifies for its request, with the time in whole seconds', async () => {
    const header = await prove(ada.keyring, request, NOW);
    expect(header).toMatch(/^v1;ts=1795219200;nonce=[A-Za-z0-9+/]{22}==;sig=[A-Za-z0-9+/]{86}==$/);
    const { ts, nonce } = await verify(header);
    expect(ts).toBe(1_795_219_200);
    expect(header).toContain(`nonce=${nonce}`);
  });

  test('has a new nonce each time', async () => {
    const nonces = await Promise.all(
      Array.from({ length: 50 }, async () => (await verify(await prove(ada.keyring, request, NOW))).nonce),
    );
    expect(new Set(nonces).size).toBe(50);
  });

  test.each([
    ['another session', { sessionId: crypto.randomUUID() }],
    ['another method', { method: 'DELETE' }],
    ['the same method in lower case', { method: 'post' }],
    ['another path', { path: '/passwordBroker/api/entryGroups/2/users?x=1' }],
    ['another query', { path: '/passwordBroker/api/entryGroups/1/users?x=2' }],
    ['another body', { bodyDigest: OTHER_BODY }],
    ['no body', { bodyDigest: NO_BODY }],
    ['a byte moved to the next part', { method: 'POS', path: `T${request.path}` }],
  ])('is refused for %s', async (_, change) => {
    const header = await prove(ada.keyring, request, NOW);
    expect(await errorCodeOf(() => verify(header, change))).toBe('signature');
  });

  test('is rejected with another person’s key', async () => {
    expect(await errorCodeOf(async () => verify(await prove(ada.keyring, request, NOW), {}, bob))).toBe('signature');
  });

  test('is rejected with another time or nonce', async () => {
    const header = await prove(ada.keyring, request, NOW);
    for (const [from, to] of [
      ['ts=1795219200', 'ts=1795219201'],
      ['ts=1795219200', 'ts=01795219200'],
      ['ts=1795219200', 'ts=+1795219200'],
      [/$/, ';x=1'],
      [/^v1/, 'v1;v1'],
      [/nonce=[^;]*/, `nonce=${encodeBase64(randomBytes(16))}`],
    ] as const) {
      expect(await errorCodeOf(() => verify(header.replace(from, to)))).toBe('signature');
    }
  });

  test.each([
    '',
    'v1',
    'v2;ts=1;nonce=AAECAwQFBgcICQoLDA0ODw==;sig=AAAA',
    'v1;ts=1;nonce=AAEC;sig=AAAA',
    'v1;ts=1;nonce=AAECAwQFBgcICQoLDA0ODw==',
    'v1;ts=1;nonce=AAECAwQFBgcICQoLDA0ODw==;sig=',
    'v1;ts=1;nonce=AAECAwQFBgcICQoLDA0ODw==;sig=AAAA;sig=AAAA',
    'v1;ts=1;ts=1;nonce=AAECAwQFBgcICQoLDA0ODw==',
    `v1;ts=${'9'.repeat(40)};nonce=AAECAwQFBgcICQoLDA0ODw==;sig=AAAA`,
  ])('is refused when malformed: %j', async (header) => {
    expect(await errorCodeOf(() => verify(header))).toBe('signature');
  });

  test('P10 any other text gives the same error', async () => {
    const start = fc.constantFrom('', 'v1;', 'v1;ts=1;nonce=', 'v1;ts=1;nonce=AAECAwQFBgcICQoLDA0ODw==;sig=');
    await fc.assert(
      fc.asyncProperty(start, fc.string(), async (before, after) => {
        expect(await errorCodeOf(() => verify(before + after))).toBe('signature');
      }),
      { numRuns: RUNS },
    );
  });
});
