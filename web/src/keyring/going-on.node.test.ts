/** Who signed the list that a person goes on from, when his key is another one than the pinned one (crypto.md §9, §13). */
import { beforeAll, describe, expect, test } from 'vitest';
import { createKeyring, type Keyring } from '@passwordbroker/core/domain/keyring';
import { createSharedRsa, createSigner, renewSigner, type Signer } from '@passwordbroker/core/testing/signers';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import { shelfInMemory } from '../testing/shelf-in-memory.ts';
import { goneOn } from './going-on.ts';
import type { HeldGroup } from './held-group.ts';
import { keepKeyChains } from './key-chains.ts';
import { openPinBook } from './pin-book.ts';

const SELF = '11111111-2222-4333-8444-555555555555';
const BOB = '22222222-2222-4333-8444-555555555555';
const GROUP = 'aaaaaaaa-2222-4333-8444-555555555555';

let self: Keyring;
let first: Signer;
let second: Signer;
let third: Signer;
let stranger: Signer;
beforeAll(async () => {
  self = (await createKeyring({ userId: SELF, masterPassword: 'correct horse', kdf: TEST_KDF })).keyring;
  const rsa = await createSharedRsa();
  first = await createSigner(rsa, BOB);
  second = await renewSigner(rsa, first, true);
  third = await renewSigner(rsa, second, true);
  stranger = await createSigner(rsa, BOB);
}, 60_000);

/** A refused list that Bob has signed with that key, where another one of his is pinned. */
async function goOn(signed: Signer, pinned: Signer, shown: Signer) {
  const pins = await openPinBook(self, shelfInMemory());
  await pins.read(null);
  const { fingerprint } = pinned.keyring;
  const sealed = await pins.sealed([{ userId: BOB, name: 'Bob', fingerprint }], 'words');
  await pins.read({ version: 1, blob_base64: sealed?.blob_base64 ?? '' });
  const members = [{ userId: SELF, role: 'admin' as const, fingerprint: self.fingerprint }];
  const content = { groupId: GROUP, seq: 3, prev: '', gkVersion: 1, gkCommit: '', members, signer: BOB, ts: 1 };
  const newest: HeldGroup['newest'] = {
    roster: { content, hash: 'ab'.repeat(32) },
    signer: { userId: BOB, fingerprint: signed.keyring.fingerprint },
  };
  const group = { groupId: GROUP, origin: 'client', newest } as HeldGroup;
  return goneOn({ keyring: self, pins, chains: keepKeyChains() }, group, null, shown.certificates);
}

describe('the pinned key and the one that signed', () => {
  const LINES: readonly [string, () => readonly [signed: Signer, pinned: Signer]][] = [
    ['the same', () => [second, second]],
    ['it is vouched for by the one that signed', () => [first, third]],
    ['it vouches for the one that signed', () => [third, first]],
  ];
  test.each(LINES)('%s: gone on, and nobody is met', async (_, keys) => {
    expect(await goOn(...keys(), third)).toMatchObject({ roster: { seq: 3 }, signer: null });
  });

  test('neither leads to the other: compared first', async () => {
    await expect(goOn(stranger, first, third)).rejects.toMatchObject({ code: 'key_changed' });
    await expect(goOn(third, stranger, third)).rejects.toMatchObject({ code: 'key_changed' });
  });

  test('nobody shows what leads there: compared first', async () => {
    await expect(goOn(third, first, first)).rejects.toMatchObject({ code: 'key_changed' });
  });
});
