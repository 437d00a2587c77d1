/** The trust record in one browser against a server that withholds, rolls back or damages it (M38, M39, M52), and after crashes (R55). */
import { beforeAll, describe, expect, test } from 'vitest';
import { encodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { sealDocument, type StoredDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { writeAcceptedRosters } from '@passwordbroker/core/domain/rosters/accepted-rosters';
import { writePins } from '@passwordbroker/core/domain/trust/pins';
import {
  compactTrustRecord,
  decidedKeysOf,
  EMPTY_RECORD,
  type TrustRecord,
  withDecidedKey,
  withDeletedGroup,
  withServerGroup,
} from '@passwordbroker/core/domain/trust/trust-record';
import { createPerson } from '@passwordbroker/core/testing/keyrings';
import { emptyDevice, deviceStoreInMemory, type StoredRecords } from '../../testing/device-store-in-memory.ts';
import { requireAnswers } from '../groups/member-services.ts';
import { openTrustBook, type TrustBook } from './trust-book.ts';

const BOB = '22222222-2222-4333-8444-555555555555';
const CAROL = '33333333-2222-4333-8444-555555555555';
const GROUP = 'aaaaaaaa-2222-4333-8444-555555555555';
const [B, C] = ['b'.repeat(64), 'c'.repeat(64)];

let keyring: Keyring;
let stranger: Keyring;
beforeAll(async () => {
  [keyring, stranger] = (await Promise.all([createPerson(), createPerson()])).map((one) => one.keyring) as [
    Keyring,
    Keyring,
  ];
});

interface Shown {
  readonly document?: StoredDocument | null;
  readonly pins?: StoredDocument | null;
  readonly isMarked?: boolean;
}

const open = (content: StoredRecords, { document = null, pins = null, isMarked = true }: Shown = {}) =>
  openTrustBook(keyring, {
    deviceStore: deviceStoreInMemory(content),
    document,
    pins,
    isMarked,
    browser: 'Firefox on Linux',
    isOffline: false,
  });

const knowing = (userId: string, fingerprint: string, record = EMPTY_RECORD): TrustRecord =>
  withDecidedKey(record, { userId, name: 'x', fingerprint }, 'words', 1_000);

async function documentOf(record: TrustRecord, version: number, by = keyring): Promise<StoredDocument> {
  const blob_base64 = await sealDocument(by, { name: 'trust', n: version }, compactTrustRecord(record));
  return { version, blob_base64 };
}

const knows = (book: TrustBook, userId: string) => decidedKeysOf(book.record() ?? EMPTY_RECORD, userId);

/** A server that stores one document with compare-and-set. */
function serverWith(document: StoredDocument | null) {
  let present = document;
  return {
    document: (): StoredDocument | null => present,
    async write(book: TrustBook): Promise<boolean> {
      const sealed = await book.sealed();
      if (sealed === null) return true;
      if (sealed.replaces !== (present?.version ?? 0)) {
        await book.read(present);
        return false;
      }
      present = { version: sealed.version, blob_base64: sealed.blob_base64 };
      await book.stored(sealed.version);
      return true;
    },
  };
}

describe('M39 a server that shows a different record than the account’s', () => {
  test.each([
    ['no record', async (): Promise<StoredDocument | null> => null],
    ['an older record', () => documentOf(EMPTY_RECORD, 2)],
    ['a damaged record', async () => ({ version: 4, blob_base64: encodeBase64(new Uint8Array(120)) })],
    ['a record of another account', () => documentOf(knowing(CAROL, C), 4, stranger)],
    ['a record sealed for another version', async () => ({ ...(await documentOf(knowing(CAROL, C), 3)), version: 4 })],
  ] as const)(
    '%s: a browser with memory uses its own copy and restores it without asking; otherwise nothing is written',
    async (_, show) => {
      const deviceStore = emptyDevice();
      const first = await open(deviceStore, { document: await documentOf(knowing(BOB, B), 3) });
      expect([first.account().state, knows(first, BOB)]).toEqual(['sound', [B]]);

      const shown = await show();
      const again = await open(deviceStore, { document: shown });
      expect([again.account().state, knows(again, BOB)]).toEqual(['behind', [B]]);
      // Nothing happens automatically while the record is in doubt.
      expect(again.before()).toBeNull();
      const server = serverWith(shown);
      expect(await server.write(again)).toBe(true);
      expect(server.document()?.version).toBeGreaterThan(Math.max(3, shown?.version ?? 0));
      expect([again.account().state, again.account().wasPutBack]).toEqual(['sound', true]);
      const elsewhere = await open(emptyDevice(), { document: server.document() });
      expect(knows(elsewhere, BOB)).toEqual([B]);

      if (shown?.version === 2) return;
      const fresh = await open(emptyDevice(), { document: shown });
      expect([fresh.account().state, fresh.record(), await fresh.sealed()]).toEqual(['missing', null, null]);
      await fresh.decide((record, now) => knowing(CAROL, C, { ...record, at: now }));
      expect(fresh.record()).toBeNull();
    },
  );

  test('without memory and without a mark in the keyset there is no record until the person starts one', async () => {
    const fresh = await open(emptyDevice(), { isMarked: false });
    expect([fresh.account().state, fresh.record()]).toEqual(['none-yet', null]);
    await fresh.begin(knowing(BOB, B));
    expect([fresh.account().state, knows(fresh, BOB)]).toEqual(['sound', [B]]);
  });

  test('a local copy that was changed is ignored', async () => {
    const deviceStore = emptyDevice();
    await open(deviceStore, { document: await documentOf(knowing(BOB, B), 3) });
    for (const [place, row] of deviceStore.records)
      deviceStore.records.set(place, { ...row, version: row.version + 1 });
    expect((await open(deviceStore)).account().state).toBe('missing');
  });
});

describe('M39 a doubt that the person states', () => {
  test('persists in this browser and ends with a later record of another browser or with a new record', async () => {
    const deviceStore = emptyDevice();
    const document = await documentOf(knowing(BOB, B), 3);
    const book = await open(deviceStore, { document });
    await book.doubt(true);
    const again = await open(deviceStore, { document });
    expect([again.account().state, again.record(), await again.sealed()]).toEqual(['doubted', null, null]);
    await again.read(await documentOf({ ...knowing(BOB, B), at: 1 }, 4));
    expect(again.account().state).toBe('doubted');
    const later = { ...knowing(BOB, B), at: Math.floor(Date.now() / 1000) + 60, by: 'f'.repeat(32) };
    await again.read(await documentOf(later, 5));
    expect([again.account().state, knows(again, BOB)]).toEqual(['sound', [B]]);
    await again.doubt(true);
    await again.begin(EMPTY_RECORD);
    expect([again.account().state, knows(again, BOB)]).toEqual(['sound', []]);
  });
});

test('M39 a doubt in one tab stops sealing and wrapping in the other tabs', async () => {
  const deviceStore = emptyDevice();
  const document = await documentOf(knowing(BOB, B), 3);
  const [here, there] = await Promise.all([open(deviceStore, { document }), open(deviceStore, { document })]);
  await requireAnswers({ book: there });
  await here.doubt(true);
  await expect(requireAnswers({ book: there })).rejects.toMatchObject({ code: 'record' });
});

test('groups that this account deleted 400 days ago are removed from the record at its next write', async () => {
  const now = Math.floor(Date.now() / 1000);
  const madeAt = (groupId: string, at: number, record: TrustRecord) =>
    withServerGroup(record, { groupId, path: [groupId], gkVersion: 1, role: 'admin' }, at);
  const [old, recent, hidden] = ['a', 'b', 'c'].map((digit) => GROUP.replaceAll('a', digit)) as [
    string,
    string,
    string,
  ];
  let record = madeAt(hidden, 1_000, madeAt(recent, 1_000, madeAt(old, 1_000, EMPTY_RECORD)));
  record = withDeletedGroup(record, old, now - 401 * 86_400);
  record = withDeletedGroup(record, recent, now - 399 * 86_400);
  const deviceStore = emptyDevice();
  const server = serverWith(await documentOf(record, 1));
  const book = await open(deviceStore, { document: server.document() });
  await book.decide((present) => knowing(BOB, B, present));
  await server.write(book);
  const { groups } = (await open(emptyDevice(), { document: server.document() })).record() ?? EMPTY_RECORD;
  expect(Object.keys(groups).sort()).toEqual([recent, hidden]);
  // Nothing is left to write, although the device store may still hold the row.
  expect(await book.sealed()).toBeNull();
});

test('M38 a device store that lost its own copy gets it again, and the person is told', async () => {
  const deviceStore = emptyDevice();
  const document = await documentOf(knowing(BOB, B), 3);
  const book = await open(deviceStore, { document });
  expect(book.account().wasStorageDeleted).toBe(false);
  deviceStore.records.clear();
  await book.restoreLostCopy();
  expect(book.account().wasStorageDeleted).toBe(true);
  // The next unlock has memory, and notices a server that withholds the record.
  const again = await open(deviceStore);
  expect([again.account().state, knows(again, BOB)]).toEqual(['behind', [B]]);
});

describe('M52 a server that loses writes of the record', () => {
  test('a write that is refused or unanswered stays pending over the next unlock; no decision is lost', async () => {
    const deviceStore = emptyDevice();
    const book = await open(deviceStore, { document: await documentOf(EMPTY_RECORD, 1) });
    await book.decide((record) => knowing(BOB, B, record));
    expect((await book.sealed())?.isUrgent).toBe(true);
    // No answer came, so the next unlock sends the write again.
    const again = await open(deviceStore, { document: await documentOf(EMPTY_RECORD, 1) });
    const server = serverWith(await documentOf(EMPTY_RECORD, 1));
    expect(await server.write(again)).toBe(true);
    expect(knows(await open(emptyDevice(), { document: server.document() }), BOB)).toEqual([B]);
    expect(await again.sealed()).toBeNull();
  });

  test('after a lost answer to a stored write, the next write merges with it', async () => {
    const deviceStore = emptyDevice();
    const book = await open(deviceStore, { document: await documentOf(EMPTY_RECORD, 1) });
    await book.decide((record) => knowing(BOB, B, record));
    const sealed = await book.sealed();
    const stored = { version: sealed?.version ?? 0, blob_base64: sealed?.blob_base64 ?? '' };
    await book.decide((record) => knowing(CAROL, C, record));
    const server = serverWith(stored);
    expect(await server.write(book)).toBe(false);
    expect(await server.write(book)).toBe(true);
    const elsewhere = await open(emptyDevice(), { document: server.document() });
    expect([knows(elsewhere, BOB), knows(elsewhere, CAROL)]).toEqual([[B], [C]]);
  });

  test('after three failed writes the person is told the reason', async () => {
    const book = await open(emptyDevice(), { document: await documentOf(EMPTY_RECORD, 1) });
    for (const reason of ['one', 'two']) book.failed(reason);
    expect(book.account().writeProblem).toBeNull();
    book.failed('three');
    expect(book.account().writeProblem).toBe('three');
  });
});

describe('R55 a crash while the record is written', () => {
  test('after a crash at any step, the local copy or the server has each decision', async () => {
    for (const step of ['decided', 'sealed', 'stored'] as const) {
      const deviceStore = emptyDevice();
      const before = await documentOf(EMPTY_RECORD, 1);
      const server = serverWith(before);
      const book = await open(deviceStore, { document: before });
      await book.decide((record) => knowing(BOB, B, record));
      if (step === 'sealed') await book.sealed();
      if (step === 'stored') await server.write(book);
      const next = await open(deviceStore, { document: server.document() });
      await server.write(next);
      expect(knows(await open(emptyDevice(), { document: server.document() }), BOB)).toEqual([B]);
    }
  });

  test('two browsers and two tabs with fifty decisions each at once lose none', async () => {
    const document = await documentOf(EMPTY_RECORD, 1);
    const server = serverWith(document);
    const devices = [emptyDevice(), emptyDevice()];
    const books = await Promise.all(
      [devices[0], devices[0], devices[1]].map((deviceStore) => open(deviceStore!, { document })),
    );
    const userOf = (at: number) => `${String(at).padStart(8, '0')}-2222-4333-8444-555555555555`;
    await Promise.all(
      books.flatMap((book, which) =>
        Array.from({ length: 50 }, (_, at) => book.decide((record) => knowing(userOf(which * 50 + at), B, record))),
      ),
    );
    for (const book of books) for (let tries = 0; tries < 5 && !(await server.write(book)); tries += 1);
    for (const deviceStore of devices) {
      const later = await open(deviceStore, { document: server.document() });
      expect(Object.keys(later.record()?.users ?? {})).toHaveLength(150);
    }
  });
});

describe('R57 a browser that was used with release 1.0', () => {
  const hash = 'a'.repeat(64);
  const pinOf = (fingerprint: string, more: object = {}) => ({
    fingerprint,
    name: 'Bob',
    verified: true,
    how: 'words' as const,
    firstSeen: 900,
    ...more,
  });
  async function pinsOf(rows: Record<string, ReturnType<typeof pinOf>>, version: number): Promise<StoredDocument> {
    const content = writePins(new Map(Object.entries(rows)));
    return { version, blob_base64: await sealDocument(keyring, { name: 'pins', n: version }, content) };
  }
  async function usedDevice(): Promise<StoredRecords> {
    const deviceStore = emptyDevice();
    const rows = new Map([
      [GROUP, { seq: 3, hash, role: 'admin' as const, origin: 'client' as const }],
      [GROUP.replace('a', 'b'), { seq: 1, hash, unpinned: true as const }],
      [GROUP.replace('a', 'c'), { seq: 1, hash, gone: true as const }],
    ]);
    const blob_base64 = await sealDocument(keyring, { name: 'rosters', n: 7 }, writeAcceptedRosters(rows));
    deviceStore.rosters.set(`${keyring.userId} ${keyring.fingerprint}`, { version: 7, blob_base64 });
    return deviceStore;
  }

  test('its record is made without asking, from accepted lists and decided keys; signers never confirmed are left out', async () => {
    const pins = await pinsOf({ [BOB]: pinOf(B), [CAROL]: pinOf(C, { met: true, verified: false }) }, 5);
    const book = await open(await usedDevice(), { isMarked: false, pins });
    expect([book.account().state, book.account().hasMemory, book.asksLastUse()]).toEqual(['sound', true, false]);
    expect([knows(book, BOB), knows(book, CAROL)]).toEqual([[B], []]);
    expect(Object.keys(book.record()?.groups ?? {})).toEqual([GROUP]);
    expect(book.record()?.groups[GROUP]).toMatchObject({ how: 'migrated', role: 'admin', proof: false });
    const server = serverWith(null);
    expect(await server.write(book)).toBe(true);

    // A second such browser adds its rows; an open page of release 1.0 adds decisions.
    const second = await open(await usedDevice(), { isMarked: false, document: server.document(), pins });
    expect(second.account().hasMemory).toBe(true);
    const newer = await pinsOf({ [BOB]: pinOf(B), [CAROL]: pinOf(C, { firstSeen: 2_000 }) }, 6);
    const later = await open(emptyDevice(), { isMarked: false, document: server.document(), pins: newer });
    expect([knows(later, CAROL), later.record()?.pins_n]).toEqual([[C], 6]);
  });

  test('a list of keys that is older than one already seen here does not count, nor does one that does not open', async () => {
    const deviceStore = await usedDevice();
    deviceStore.pins.set(keyring.userId, 5);
    const older = await pinsOf({ [BOB]: pinOf(B) }, 4);
    const book = await open(deviceStore, { isMarked: false, pins: older });
    expect(knows(book, BOB)).toEqual([]);
    await open(deviceStore, { isMarked: false, pins: { ...older, version: 1_000 } });
    const present = await pinsOf({ [BOB]: pinOf(C) }, 5);
    expect(knows(await open(deviceStore, { isMarked: false, pins: present }), BOB)).toEqual([C]);
  });

  test('a new record is not filled again from an earlier list of keys', async () => {
    const content = emptyDevice();
    const pins = await pinsOf({ [BOB]: pinOf(B) }, 5);
    const book = await open(content, { document: await documentOf(EMPTY_RECORD, 3), pins });
    await book.doubt(true);
    await book.begin(EMPTY_RECORD);
    expect(knows(await open(content, { pins }), BOB)).toEqual([]);
  });

  test('an older list of keys does not undo a decision in the record', async () => {
    const record = withDecidedKey(knowing(BOB, B), { userId: BOB, name: 'Bob', fingerprint: C }, 'words', 3_000);
    const pins = await pinsOf({ [BOB]: pinOf(B, { firstSeen: 900 }) }, 6);
    const book = await open(emptyDevice(), { document: await documentOf(record, 3), pins });
    expect(knows(book, BOB)).toEqual([C]);
  });

  test('keys that were made with a record take over no accepted lists of release 1.0', async () => {
    expect((await open(await usedDevice(), { isMarked: true })).account().state).toBe('missing');
  });
});
