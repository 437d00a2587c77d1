/** What a device remembers of lists of members outlives a change of the own keys (crypto.md §9; M22). */
import { beforeAll, expect, test } from 'vitest';
import { sealDocument } from '@passwordbroker/core/domain/documents';
import { writeAcceptedRosters } from '@passwordbroker/core/domain/accepted-rosters';
import type { LinkedRoster } from '@passwordbroker/core/domain/roster-succession';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { createKeyring, type Keyring, type NewKeyBundleWire } from '@passwordbroker/core/domain/keyring';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import { shelfInMemory } from '../testing/shelf-in-memory.ts';
import { rememberRosters } from './roster-memory.ts';
import { createServices } from './services.ts';

const USER = '11111111-2222-4333-8444-555555555555';
const [GROUP, OTHER] = ['aaaaaaaa-2222-4333-8444-555555555555', 'bbbbbbbb-2222-4333-8444-555555555555'];
const hashOf = (seq: number) => String(seq).repeat(64);
const list = (seq: number) => ({ seq, hash: hashOf(seq), role: 'admin' as const });
/** The same one as the worker holds it. */
const linked = (seq: number, groupId = GROUP): LinkedRoster => {
  const members = [{ userId: USER, role: 'admin' as const, fingerprint: hashOf(seq) }];
  const content = { groupId, seq, prev: '', gkVersion: 1, gkCommit: hashOf(seq), members, signer: USER, ts: 1 };
  return { content, hash: hashOf(seq) };
};
const born = { ...list(0), origin: 'client' };

let [before, renewed]: Keyring[] = [];
beforeAll(async () => {
  const keys = async (keysetVersion: number) =>
    (await createKeyring({ userId: USER, masterPassword: 'correct horse', kdf: TEST_KDF, keysetVersion })).keyring;
  [before, renewed] = await Promise.all([keys(1), keys(2)]);
}, 60_000);

test('new keys have what was accepted under those before; what these have is not written over', async () => {
  const shelf = shelfInMemory();
  const memory = rememberRosters(before!, shelf);
  await memory.remember(GROUP, linked(3));
  await memory.handOver(renewed!);

  const after = rememberRosters(renewed!, shelf);
  expect(await after.accepted(GROUP)).toEqual(list(3));
  await after.remember(GROUP, linked(4));
  await after.remember(OTHER, linked(0, OTHER));
  expect(await rememberRosters(renewed!, shelf).accepted(GROUP)).toEqual(list(4));
  const again = rememberRosters(before!, shelf);
  expect([await again.accepted(GROUP), await again.accepted(OTHER)]).toEqual([list(3), null]);
});

test('what a client of before kept in one place for all keys counts on', async () => {
  const shelf = shelfInMemory();
  const blob_base64 = await sealDocument(
    before!,
    { name: 'rosters', n: 7 },
    writeAcceptedRosters(new Map([[GROUP, list(3)]])),
  );
  await shelf.replaceRosters(USER, 0, { version: 7, blob_base64 });
  const memory = rememberRosters(before!, shelf);
  expect(await memory.accepted(GROUP)).toEqual(list(3));
  await memory.remember(OTHER, linked(0, OTHER));
  const later = rememberRosters(before!, shelf);
  expect([await later.accepted(GROUP), await later.accepted(OTHER)]).toEqual([list(3), born]);
});

test('the worker hands over with every change of keys, whoever demands it', async () => {
  const shelf = shelfInMemory();
  const served = { signal: new AbortController().signal, onProgress: () => undefined };
  const stored = (
    bundle: Pick<NewKeyBundleWire, 'keyset' | 'certificate'> & { readonly slots: readonly object[] },
  ): KeyBundle => ({
    user_id: USER,
    must_rekey: true,
    keyset: bundle.keyset,
    certificate: { ...bundle.certificate, created_at: '' } as unknown as KeyBundle['certificate'],
    slots: bundle.slots.map((slot) => ({ ...slot, version: 1 })) as KeyBundle['slots'],
    documents: [],
  });
  const first = createServices(TEST_KDF, shelf);
  const { bundle } = await createKeyring({ userId: USER, masterPassword: 'correct horse', kdf: TEST_KDF });
  await first.unlock({ bundle: stored(bundle), masterPassword: 'correct horse' }, served);
  await first.createGroupKeys({ groupId: GROUP, parentId: null, listed: [], confirmed: null }, served);
  const next = await first.rekey({ newMasterPassword: 'another horse', documents: [], grants: [] }, served);

  const then = createServices(TEST_KDF, shelf);
  await then.unlock({ bundle: stored(next.key_bundle), masterPassword: 'another horse' }, served);
  expect(await then.acceptedSeq({ groupId: GROUP }, served)).toEqual({ seq: 0, isOriginKnown: true });
  expect(await then.acceptedSeq({ groupId: OTHER }, served)).toEqual({ seq: null, isOriginKnown: false });
});

test('a device without room: what was accepted counts on what it holds, is said to be unkept, and is kept with the next change', async () => {
  const shelf = shelfInMemory();
  let isFull = false;
  const tight = {
    ...shelf,
    replaceRosters: (...change: Parameters<typeof shelf.replaceRosters>) =>
      isFull ? Promise.reject(new DOMException('no room', 'QuotaExceededError')) : shelf.replaceRosters(...change),
  };
  const memory = rememberRosters(before!, tight);
  await memory.remember(GROUP, linked(3));
  expect(memory.isKept()).toBe(true);
  isFull = true;
  await memory.remember(GROUP, linked(4));
  await memory.replace(OTHER, list(7));
  await memory.replace(OTHER, list(5));
  expect([await memory.accepted(GROUP), await memory.accepted(OTHER)]).toEqual([list(4), list(5)]);
  expect(memory.isKept()).toBe(false);
  // Another tab has room, and has seen another group change.
  await rememberRosters(before!, shelf).remember(OTHER, linked(6, OTHER));
  expect([await memory.accepted(GROUP), await memory.accepted(OTHER)]).toEqual([list(4), list(5)]);
  isFull = false;
  await memory.remember(GROUP, linked(4));
  expect(memory.isKept()).toBe(true);
  const later = rememberRosters(before!, shelf);
  expect([await later.accepted(GROUP), await later.accepted(OTHER)]).toEqual([list(4), list(5)]);
});
