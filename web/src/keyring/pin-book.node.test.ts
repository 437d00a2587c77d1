// @vitest-environment node
/** What a device remembers of a list of pins holds for the keys that the list was made under, and for those that came in their place. */
import { expect, test } from 'vitest';
import { createKeyring, type Keyring } from '@passwordbroker/core/domain/keyring';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import { shelfInMemory } from '../testing/shelf-in-memory.ts';
import { openPinBook } from './pin-book.ts';

const USER = '11111111-2222-4333-8444-555555555555';
const BOB = { userId: '22222222-2222-4333-8444-555555555555', fingerprint: 'b'.repeat(64), name: 'Bob' };
const keys = async (keysetVersion: number): Promise<Keyring> =>
  (await createKeyring({ userId: USER, masterPassword: 'correct horse', kdf: TEST_KDF, keysetVersion })).keyring;

test('a list that is gone is missed under the same keys and under those of a change, not under first keys once more', async () => {
  const shelf = shelfInMemory();
  const before = await keys(1);
  const book = await openPinBook(before, shelf);
  await book.read(null);
  const sealed = await book.sealed([BOB], 'first-use');
  await book.read({ version: 1, blob_base64: sealed?.blob_base64 ?? '' });
  expect([...book.pins().keys()]).toEqual([BOB.userId]);

  const shownNone = async (keyring: Keyring) => {
    const again = await openPinBook(keyring, shelf);
    await again.read(null);
    return again.isReliable();
  };
  expect(await shownNone(before)).toBe(false);
  expect(await shownNone(await keys(2))).toBe(false);
  // Keys were reset (decision K6): what was pinned is lost with them, and nobody has taken it away.
  expect(await shownNone(await keys(1))).toBe(true);
});
