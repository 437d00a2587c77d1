/**
 * The trust record against a server that withholds it, shows an older one, or makes the browser start a new
 * one.
 */
import { beforeEach, expect, test } from 'vitest';
import { sealDocument, type StoredDocument } from '@passwordbroker/core/domain/keyring/documents';
import { createKeyring, type Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import {
  compactTrustRecord,
  EMPTY_RECORD,
  type TrustRecord,
  withDecidedKey,
} from '@passwordbroker/core/domain/trust/trust-record';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import { deviceStoreInMemory } from '../../testing/device-store-in-memory.ts';
import { openTrustBook } from './trust-book.ts';

const USER = '11111111-2222-4333-8444-555555555555';
const BOB = '22222222-2222-4333-8444-555555555555';
const NOW = Math.floor(Date.now() / 1000);
const LONG_AGO = NOW - 30 * 86_400;

let keyring: Keyring;
let deviceStore = deviceStoreInMemory();
beforeEach(async () => {
  ({ keyring } = await createKeyring({ userId: USER, masterPassword: 'correct horse', kdf: TEST_KDF }));
  deviceStore = deviceStoreInMemory();
});

const open = (document: StoredDocument | null) =>
  openTrustBook(keyring, { deviceStore, document, pins: null, isMarked: true, browser: 'Firefox', isOffline: false });

async function documentOf(version: number, record: TrustRecord): Promise<StoredDocument> {
  const blob_base64 = await sealDocument(keyring, { name: 'trust', n: version }, compactTrustRecord(record));
  return { version, blob_base64 };
}

const usedAt = (at: number): TrustRecord => ({
  ...EMPTY_RECORD,
  browsers: { ['a'.repeat(32)]: ['Chrome', at, at] },
});

test('the question about the last use is asked again after a lock until it is answered', async () => {
  const old = await documentOf(4, usedAt(LONG_AGO));
  expect((await open(old)).asksLastUse()).toBe(true);
  const again = await open(old);
  expect(again.asksLastUse()).toBe(true);
  expect(again.account().lastUse).toMatchObject({ at: LONG_AGO, browser: 'Chrome' });
  await again.answerLastUse();
  expect(again.asksLastUse()).toBe(false);
  expect((await open(old)).asksLastUse()).toBe(false);
});

test('the last use is asked about also for a record that the server shows only after the unlock', async () => {
  const book = await open(null);
  expect(book.account().state).toBe('missing');
  await book.read(await documentOf(4, usedAt(LONG_AGO)));
  expect(book.asksLastUse()).toBe(true);
  expect(book.account().lastUse).toMatchObject({ at: LONG_AGO });
});

test('a new record takes over nothing from the one that it replaces', async () => {
  const key = { userId: BOB, name: 'Bob', fingerprint: 'b'.repeat(64) };
  const doubted = await documentOf(4, withDecidedKey(usedAt(NOW), key, 'words', NOW));
  const book = await open(doubted);
  await book.doubt(true);
  await book.begin(EMPTY_RECORD);
  await book.read(doubted);
  expect(book.record()?.users).toEqual({});
  const sealed = await book.sealed();
  expect(sealed).toMatchObject({ replaces: 4, version: 5 });
  await book.stored(5);
  expect((await open(doubted)).record()?.users).toEqual({});
  // Later writes of other browsers are merged.
  const other = await documentOf(6, withDecidedKey(EMPTY_RECORD, key, 'words', NOW));
  expect(Object.keys((await open(other)).record()?.users ?? {})).toEqual([BOB]);
});

test('a new record still requires compared keys if the former one did', async () => {
  const book = await open(await documentOf(4, { ...usedAt(NOW), strict: [true, NOW] }));
  await book.doubt(true);
  await book.begin(EMPTY_RECORD);
  expect(book.isStrict()).toBe(true);
});

test('the server cannot choose the version of the record', async () => {
  const book = await open(await documentOf(4, usedAt(NOW)));
  const sealed = await book.sealed();
  await expect(book.stored((sealed?.version ?? 0) + 1_000)).rejects.toThrow();
  expect(book.account().n).toBe(4);
});
