/** What a device remembers of a list of pins holds for the keys that the list was made under, and for those that came in their place. */
import { beforeAll, expect, test } from 'vitest';
import { createKeyring, type Keyring } from '@passwordbroker/core/domain/keyring';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import { shelfInMemory } from '../testing/shelf-in-memory.ts';
import { openPinBook } from './pin-book.ts';

const USER = '11111111-2222-4333-8444-555555555555';
const BOB = { userId: '22222222-2222-4333-8444-555555555555', fingerprint: 'b'.repeat(64), name: 'Bob' };
const keys = async (keysetVersion: number): Promise<Keyring> =>
  (await createKeyring({ userId: USER, masterPassword: 'correct horse', kdf: TEST_KDF, keysetVersion })).keyring;

let [before, renewed, reset]: Keyring[] = [];
beforeAll(async () => {
  [before, renewed, reset] = await Promise.all([keys(1), keys(2), keys(1)]);
}, 60_000);

test('a list that is gone is missed under the same keys and under those of a change, not under first keys once more', async () => {
  const shelf = shelfInMemory();
  const book = await openPinBook(before!, shelf);
  await book.read(null);
  const sealed = await book.sealed([BOB], 'first-use');
  await book.read({ version: 1, blob_base64: sealed?.blob_base64 ?? '' });
  expect([...book.pins().keys()]).toEqual([BOB.userId]);

  const shownNone = async (keyring: Keyring) => {
    const again = await openPinBook(keyring, shelf);
    await again.read(null);
    return again.isReliable();
  };
  expect(await shownNone(before!)).toBe(false);
  expect(await shownNone(renewed!)).toBe(false);
  // Keys were reset (decision K6): what was pinned is lost with them, and nobody has taken it away.
  expect(await shownNone(reset!)).toBe(true);
  // Keys that were open here are no new ones, whatever was open since.
  expect(await shownNone(before!)).toBe(false);
  expect(await shownNone(reset!)).toBe(true);
});

test('a list that another tab has seen counts; so does one that did not open', async () => {
  const shelf = shelfInMemory();
  const [here, there] = [await openPinBook(before!, shelf), await openPinBook(before!, shelf)];
  await here.read(null);
  const first = await here.sealed([BOB], 'first-use');
  await here.read({ version: 1, blob_base64: first?.blob_base64 ?? '' });
  await there.read(null);
  expect(there.isReliable()).toBe(false);

  await (await openPinBook(reset!, shelf)).read({ version: 3, blob_base64: 'AAAA' });
  expect((await shelf.seenPins(USER)).keys.map(({ fingerprint }) => fingerprint)).toEqual([
    before!.fingerprint,
    reset!.fingerprint,
  ]);
});
