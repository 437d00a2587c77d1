/** Each store in memory and, in Chromium, in IndexedDB gives the same answers. */
import { describe, expect, test } from 'vitest';
import type { CopyRecord, CopyStore, StoredPiece } from '../keyring/copy/copy-store.ts';
import { createDeviceKey, openOnDevice, sealOnDevice } from '../keyring/device-seal.ts';
import type { DeviceStore } from '../keyring/trust/own-copy.ts';
import type { TokenRecord } from '../platform.ts';
import { copiesInMemory } from '../testing/copies-in-memory.ts';
import { deviceStoreInMemory } from '../testing/device-store-in-memory.ts';
import { openCopyStore } from './keyring/idb-copy-store.ts';
import { openDeviceStore } from './keyring/idb-device-store.ts';
import { openTokenRecords } from './token-records.ts';

const hasIndexedDb = typeof indexedDB !== 'undefined';
const WRITERS = 20;
const newName = () => `stores ${crypto.randomUUID()}`;
const names = Array.from({ length: WRITERS }, (_, at) => `writer ${at}`);

/** `open` gives the same store each time, as another tab does. */
function implementations<Store>(inMemory: () => Store, inIndexedDb: (name: string) => Store) {
  const memory = () => {
    const store = inMemory();
    return () => store;
  };
  const indexed = () => {
    const name = newName();
    return () => inIndexedDb(name);
  };
  return [['memory', memory] as const, ...(hasIndexedDb ? [['IndexedDB', indexed] as const] : [])];
}

describe.each(implementations<DeviceStore>(deviceStoreInMemory, openDeviceStore))(
  'CL4 a device store in %s',
  (_, make) => {
    test('replaces a record only at the expected version', async () => {
      const store = make()();
      expect(await store.record('a')).toBeNull();
      expect(await store.replaceRecord('a', 1, { version: 2, blob_base64: 'AA==' })).toBe(false);
      expect(await store.replaceRecord('a', 0, { version: 1, blob_base64: 'AQ==' })).toBe(true);
      expect(await store.replaceRecord('a', 0, { version: 1, blob_base64: 'Ag==' })).toBe(false);
      expect(await store.record('a')).toEqual({ version: 1, blob_base64: 'AQ==' });
      expect([await store.record('b'), await store.rosters('a'), await store.seenPins('a', 'f')]).toEqual([
        null,
        null,
        null,
      ]);
    });

    test(`of ${WRITERS} parallel writers none loses its line`, async () => {
      const open = make();
      const write = async (line: string) => {
        const store = open();
        for (;;) {
          const before = (await store.record('a')) ?? { version: 0, blob_base64: '' };
          const next = { version: before.version + 1, blob_base64: `${before.blob_base64}${line};` };
          if (await store.replaceRecord('a', before.version, next)) return;
        }
      };
      await Promise.all(names.map(write));
      const last = await open().record('a');
      expect(last?.version).toBe(WRITERS);
      expect(last?.blob_base64.split(';').filter(Boolean).toSorted()).toEqual(names.toSorted());
    });
  },
);

const record = (userId: string): CopyRecord => ({
  origin: 'https://vault.example',
  server: null,
  userId,
  applicationId: 'a',
  fileLimit: 0,
  keepAtLogout: false,
  label: new Uint8Array([1]),
  syncedAt: 0,
  key: { rsa_private_key_base64: 'AA==', timestamp: 1, digest: 'd' },
  salt: { salt_base64: 'AA==', kdf: 'A1', timestamp: 1, digest: 'd' },
});
const piece = (step: number, text = ''): StoredPiece => ({
  step,
  timestamp: step,
  blob: new TextEncoder().encode(text),
});

describe.each(implementations<CopyStore>(copiesInMemory, openCopyStore))('CL4 a copy store in %s', (_, make) => {
  test('keeps records, pieces and files, and deletes what belongs to a removed record', async () => {
    const store = make()();
    expect([await store.record('a'), await store.names(), await store.lastStep('a')]).toEqual([null, [], 0]);
    await store.change('a', { fileLimit: 1 });
    expect(await store.add('a', piece(1), { after: 0, isWhole: true })).toBe(false);
    expect(await store.create('a', record('first'))).toEqual(record('first'));
    expect(await store.create('a', record('second'))).toEqual(record('first'));
    await store.change('a', { fileLimit: 7 });
    expect(await store.records()).toEqual([{ ...record('first'), fileLimit: 7 }]);

    expect(await store.add('a', piece(1), { after: 0, isWhole: true })).toBe(true);
    expect(await store.add('a', piece(2), { after: 0, isWhole: false })).toBe(false);
    expect(await store.add('a', piece(2), { after: 1, isWhole: false })).toBe(true);
    expect((await store.pieces('a')).map(({ step }) => step)).toEqual([1, 2]);
    expect(await store.add('a', piece(3), { after: 2, isWhole: true })).toBe(true);
    expect((await store.pieces('a')).map(({ step }) => step)).toEqual([3]);
    expect([await store.lastStep('a'), await store.seen('a')]).toEqual([3, { step: 3, timestamp: 3 }]);

    await store.keepBody('a', { fieldId: 'f', rev: 1, body: new Blob(['x']) });
    await store.keepBody('a', { fieldId: 'g', rev: 1, body: new Blob(['y']) });
    await store.keepBody('none', { fieldId: 'f', rev: 1, body: new Blob(['z']) });
    await store.dropBodies('a', ['g']);
    expect(await (await store.body('a', 'f'))?.body.text()).toBe('x');
    expect((await store.bodies('a')).map(({ fieldId, rev }) => [fieldId, rev])).toEqual([['f', 1]]);
    expect(await store.body('none', 'f')).toBeNull();

    await store.wipeParts('a');
    expect(await store.record('a')).toMatchObject({ userId: 'first', key: null, salt: null });
    expect([await store.pieces('a'), await store.bodies('a'), await store.seen('a')]).toEqual([[], [], undefined]);
    expect(await store.add('a', piece(4), { after: await store.lastStep('a'), isWhole: true })).toBe(true);
    await store.keepBody('a', { fieldId: 'f', rev: 1, body: new Blob(['x']) });
    await store.remove('a');
    expect([await store.names(), await store.record('a')]).toEqual([[], null]);
    expect(await store.create('a', record('third'))).toEqual(record('third'));
    expect([await store.pieces('a'), await store.bodies('a'), await store.seen('a')]).toEqual([[], [], undefined]);
  });

  test('has one device key, also if two tabs make it at once', async () => {
    const open = make();
    const [here, there] = await Promise.all([open().deviceKey(createDeviceKey), open().deviceKey(createDeviceKey)]);
    const sealed = await sealOnDevice(here, 'label', 'Ada');
    expect(await openOnDevice(there, 'label', sealed)).toBe('Ada');
    expect(await openOnDevice(await open().deviceKey(createDeviceKey), 'label', sealed)).toBe('Ada');
  });

  test(`of ${WRITERS} parallel writers none loses its piece`, async () => {
    const open = make();
    await open().create('a', record('first'));
    const write = async (text: string) => {
      const store = open();
      for (;;) {
        const after = await store.lastStep('a');
        if (await store.add('a', piece(after + 1, text), { after, isWhole: false })) return;
      }
    };
    await Promise.all(names.map(write));
    const pieces = await open().pieces('a');
    expect(pieces.map(({ step }) => step)).toEqual(names.map((_name, at) => at + 1));
    expect(pieces.map(({ blob }) => new TextDecoder().decode(blob)).toSorted()).toEqual(names.toSorted());
  });
});

describe.each(hasIndexedDb ? ['IndexedDB'] : [])('CL4 token records in %s', () => {
  const plain = new Map<string, string>();
  const store = () => ({
    getItem: (key: string) => plain.get(key) ?? null,
    setItem: (key: string, value: string) => void plain.set(key, value),
    removeItem: (key: string) => void plain.delete(key),
  });
  const tokenAt = (url: string, token: string): TokenRecord => ({
    user_id: 'u',
    login: 'ada@example.org',
    name: 'Ada',
    url,
    token,
    is_admin: false,
  });
  const allIn = async (records: ReturnType<typeof openTokenRecords>) =>
    (await records.all()).map(({ url }) => url).toSorted();

  test('keep the newest token of each server, and a pending logout', async () => {
    const records = openTokenRecords(store, newName());
    expect([await records.of('a'), await records.leftAt('a'), await records.all()]).toEqual([null, null, []]);
    await records.keep(tokenAt('a', 'old'));
    await records.keep(tokenAt('a', 'new'));
    await records.forget('a', 'old');
    expect(await records.of('a')).toEqual(tokenAt('a', 'new'));
    await records.leave('a');
    expect([await records.of('a'), await records.all()]).toEqual([null, []]);
    expect(await records.leftAt('a')).toEqual({ ...tokenAt('a', 'new'), is_left: true });
    await records.forget('a');
    expect(await records.leftAt('a')).toBeNull();
    expect(records.clientId()).toBe(records.clientId());
  });

  test('a logout never removes a token that another tab stores at the same time', async () => {
    const name = newName();
    const [here, there] = [openTokenRecords(store, name), openTokenRecords(store, name)];
    for (const url of names) {
      await here.keep(tokenAt(url, 'old'));
      await Promise.all([here.leave(url), here.forget(url, 'old'), there.keep(tokenAt(url, 'new'))]);
      expect(await here.of(url)).toEqual(tokenAt(url, 'new'));
    }
  });

  test(`of ${WRITERS} parallel writers none loses its record`, async () => {
    const name = newName();
    await Promise.all(names.map((url) => openTokenRecords(store, name).keep(tokenAt(url, 't'))));
    expect(await allIn(openTokenRecords(store, name))).toEqual(names.toSorted());
  });
});
