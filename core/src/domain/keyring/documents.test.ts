/** Private documents (docs/spec/crypto.md §4, §24). */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeBase64, decodeHex, encodeBase64, utf8 } from '../../crypto/bytes.ts';
import { importSealingKey, seal, sealWithSalt } from '../../crypto/seal.ts';
import { VECTORS } from '../../testing/pb1-vectors.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { type Signer, createSharedRsa, createSigner } from '../../testing/signers.ts';
import { MAX_DEVICE_DOCUMENT_BYTES, openDocument, openNewestDocument, sealDocument } from './documents.ts';
import { type Keyring, keyringOf } from './keyring.ts';
import { LIMITS } from '../limits.ts';

let ada: Signer;
let bob: Signer;
beforeAll(async () => {
  const rsa = await createSharedRsa();
  [ada, bob] = await Promise.all([createSigner(rsa), createSigner(rsa)]);
});
const asIs = (raw: unknown) => raw;
const pins = { name: 'pins', n: 2 } as const;
const rawDocument = async ({ userId, keyring }: Signer, text: string | Uint8Array<ArrayBuffer>) =>
  encodeBase64(
    await seal('doc', keyring.keys().userKey, { userId, ...pins }, typeof text === 'string' ? utf8(text) : text),
  );

test('the vector of the specification', async () => {
  const userKey = await importSealingKey(decodeHex(VECTORS.slot.user_key_hex));
  const userId = VECTORS.ids.user_id;
  const blob =
    'UEIxBVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVlzz63Qe6pc+uzUcy68VGGm7JuSKiv9OekwzpxOsB57BinD6gz3HPb6ONpwaiJ22MTiAdsEHTYQ==';
  const salt = new Uint8Array(32).fill(0x55);
  const sealed = await sealWithSalt('doc', userKey, { userId, name: 'pins', n: 1 }, utf8('{"v":1}'), salt);
  expect(encodeBase64(sealed)).toBe(blob);
  const keyring: Keyring = keyringOf({ ...ada.keyring.identity, userId }, { ...ada.keyring.keys(), userKey });
  expect(await openDocument(keyring, { name: 'pins', n: 1 }, blob, asIs)).toEqual({ v: 1 });
});

describe('a document', () => {
  test('opens only for its user, name and version', async () => {
    const content = { v: 1, text: 'ä🔐' };
    const blob = await sealDocument(ada.keyring, pins, content);
    expect(await openDocument(ada.keyring, pins, blob, asIs)).toEqual(content);
    for (const open of [
      () => openDocument(bob.keyring, pins, blob, asIs),
      () => openDocument(ada.keyring, { ...pins, n: 1 }, blob, asIs),
      () => openDocument(ada.keyring, { ...pins, name: 'settings' as const }, blob, asIs),
    ])
      expect(await errorCodeOf(open)).toBe('commit');
  });

  test.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
  ])('with %s as its content is refused', async (_, text) => {
    const blob = await rawDocument(ada, text);
    expect(await errorCodeOf(() => openDocument(ada.keyring, pins, blob, asIs))).toBe('payload');
  });

  test('is rejected before opening if it is not base64 or too long', async () => {
    expect(await errorCodeOf(() => openDocument(ada.keyring, pins, '???', asIs))).toBe('base64');
    const longest = Math.ceil(LIMITS.documentBytes / 3) * 4;
    expect(await errorCodeOf(() => openDocument(ada.keyring, pins, 'A'.repeat(longest), asIs))).toBe('version');
    expect(await errorCodeOf(() => openDocument(ada.keyring, pins, 'A'.repeat(longest + 4), asIs))).toBe('payload');
  });

  test('has at most one MiB', async () => {
    const text = 'x'.repeat(LIMITS.documentBytes - 84 - '{"a":""}'.length);
    const blob = await sealDocument(ada.keyring, pins, { a: text });
    expect(decodeBase64(blob)).toHaveLength(1_048_576);
    expect(await openDocument(ada.keyring, pins, blob, asIs)).toEqual({ a: text });
    expect(await errorCodeOf(() => sealDocument(ada.keyring, pins, { a: `${text}x` }))).toBe('payload');
  });

  test('named trust has at most four MiB', async () => {
    const trust = { name: 'trust', n: 1 } as const;
    const text = 'x'.repeat(4 * 1_048_576 - 84 - '{"a":""}'.length);
    const blob = await sealDocument(ada.keyring, trust, { a: text });
    expect(await openDocument(ada.keyring, trust, blob, asIs)).toEqual({ a: text });
    expect(await errorCodeOf(() => sealDocument(ada.keyring, trust, { a: `${text}x` }))).toBe('payload');
  });

  test('stored on the device has at most 16 MiB', async () => {
    const rosters = { name: 'rosters', n: 1 } as const;
    const text = 'x'.repeat(MAX_DEVICE_DOCUMENT_BYTES - 84 - '{"a":""}'.length);
    const blob = await sealDocument(ada.keyring, rosters, { a: text });
    expect(decodeBase64(blob)).toHaveLength(16_777_216);
    expect(await openDocument(ada.keyring, rosters, blob, asIs)).toEqual({ a: text });
    expect(await errorCodeOf(() => sealDocument(ada.keyring, rosters, { a: `${text}x` }))).toBe('payload');
    expect(await errorCodeOf(() => openDocument(ada.keyring, rosters, `${blob}AAAA`, asIs))).toBe('payload');
  });

  test('returns any JSON unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (content) => {
        const written = JSON.parse(JSON.stringify(content)) as unknown;
        expect(await openDocument(ada.keyring, pins, await sealDocument(ada.keyring, pins, content), asIs)).toEqual(
          written,
        );
      }),
      { numRuns: 100 },
    );
  });

  test('cannot be sealed or opened with a locked keyring', async () => {
    const keyring = keyringOf(ada.keyring.identity, ada.keyring.keys());
    const blob = await sealDocument(keyring, pins, {});
    keyring.lock();
    expect(await errorCodeOf(() => sealDocument(keyring, pins, {}))).toBe('locked');
    expect(await errorCodeOf(() => openDocument(keyring, pins, blob, asIs))).toBe('locked');
  });
});

describe('the newest document', () => {
  const newest = (stored: { version: number; blob_base64: string } | null, seen: number) =>
    openNewestDocument(ada.keyring, { name: 'pins', stored, seen }, asIs);

  test('is returned with its version; null if never written', async () => {
    const stored = { version: 2, blob_base64: await sealDocument(ada.keyring, pins, { a: 1 }) };
    for (const seen of [0, 1, 2]) expect(await newest(stored, seen)).toEqual({ n: 2, content: { a: 1 } });
    expect(await newest(null, 0)).toBeNull();
  });

  test('is rejected if it is older than one seen, or missing', async () => {
    const stored = { version: 2, blob_base64: await sealDocument(ada.keyring, pins, { a: 1 }) };
    expect(await errorCodeOf(() => newest(stored, 3))).toBe('rolled_back');
    expect(await errorCodeOf(() => newest(null, 1))).toBe('rolled_back');
  });

  test('cannot be presented as another version', async () => {
    const stored = { version: 3, blob_base64: await sealDocument(ada.keyring, pins, { a: 1 }) };
    expect(await errorCodeOf(() => newest(stored, 3))).toBe('commit');
  });
});
