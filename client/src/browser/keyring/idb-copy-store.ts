import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type OpenDBCallbacks } from 'idb';
import type { CopyRecord, CopyStore, KeptBody, SeenPiece, StoredPiece } from '../../keyring/copy/copy-store.ts';
import type { DeviceKey } from '../../keyring/device-seal.ts';
import { COPIES_DATABASE } from '../copies-database.ts';
import { keptDatabase } from '../kept-database.ts';

interface Shape extends DBSchema {
  copies: { key: string; value: CopyRecord };
  pieces: { key: [string, number]; value: StoredPiece };
  seen: { key: string; value: SeenPiece };
  bodies: { key: [string, string]; value: KeptBody };
  device: { key: string; value: DeviceKey };
}

const DEVICE_KEY = 'labels';
const EVERYTHING = ['copies', 'pieces', 'bodies', 'seen'] as const;
const stepsOf = (name: string) => IDBKeyRange.bound([name, 0], [name, Number.MAX_SAFE_INTEGER]);
const bodiesOf = (name: string) => IDBKeyRange.bound([name, ''], [name, '\uffff']);

export function openCopyStore(name = COPIES_DATABASE): CopyStore {
  const opened = keptDatabase<Shape>((ends) => open(name, ends));
  return {
    records: async () => (await opened()).getAll('copies'),
    names: async () => (await opened()).getAllKeys('copies'),
    record: async (copy) => (await (await opened()).get('copies', copy)) ?? null,
    async create(copy, record) {
      const transaction = (await opened()).transaction('copies', 'readwrite');
      const present = await transaction.store.get(copy);
      if (present === undefined) await transaction.store.put(record, copy);
      await transaction.done;
      return present ?? record;
    },
    async change(copy, change) {
      const transaction = (await opened()).transaction('copies', 'readwrite');
      const present = await transaction.store.get(copy);
      if (present !== undefined) await transaction.store.put({ ...present, ...change }, copy);
      await transaction.done;
    },
    pieces: async (copy) => (await opened()).getAll('pieces', stepsOf(copy)),
    lastStep: async (copy) => (await (await opened()).getAllKeys('pieces', stepsOf(copy))).at(-1)?.[1] ?? 0,
    async add(copy, piece, { after, isWhole }) {
      const transaction = (await opened()).transaction(['copies', 'pieces', 'seen'], 'readwrite', {
        durability: 'strict',
      });
      const pieces = transaction.objectStore('pieces');
      const last = (await pieces.getAllKeys(stepsOf(copy))).at(-1)?.[1] ?? 0;
      // A copy that was wiped meanwhile is not restored.
      const isKept = (await transaction.objectStore('copies').getKey(copy)) !== undefined;
      if (last !== after || !isKept) {
        await transaction.done;
        return false;
      }
      if (isWhole) await pieces.delete(stepsOf(copy));
      const { step, timestamp } = piece;
      await pieces.put(piece, [copy, step]);
      await transaction.objectStore('seen').put({ step, timestamp }, copy);
      await transaction.done;
      return true;
    },
    seen: async (copy) => (await opened()).get('seen', copy),
    body: async (copy, fieldId) => (await (await opened()).get('bodies', [copy, fieldId])) ?? null,
    async bodies(copy) {
      const kept: Pick<KeptBody, 'fieldId' | 'rev'>[] = [];
      const transaction = (await opened()).transaction('bodies');
      for await (const { value } of transaction.store.iterate(bodiesOf(copy)))
        kept.push({ fieldId: value.fieldId, rev: value.rev });
      return kept;
    },
    async keepBody(copy, body) {
      const transaction = (await opened()).transaction(['copies', 'bodies'], 'readwrite');
      const isKept = (await transaction.objectStore('copies').getKey(copy)) !== undefined;
      if (isKept) await transaction.objectStore('bodies').put(body, [copy, body.fieldId]);
      await transaction.done;
    },
    async dropBodies(copy, fieldIds) {
      const transaction = (await opened()).transaction('bodies', 'readwrite');
      await Promise.all([...fieldIds.map((fieldId) => transaction.store.delete([copy, fieldId])), transaction.done]);
    },
    async wipeParts(copy) {
      const transaction = (await opened()).transaction(EVERYTHING, 'readwrite');
      const record = await transaction.objectStore('copies').get(copy);
      if (record !== undefined) await transaction.objectStore('copies').put({ ...record, key: null, salt: null }, copy);
      await dropParts(transaction, copy);
      await transaction.done;
    },
    async remove(copy) {
      const transaction = (await opened()).transaction(EVERYTHING, 'readwrite');
      await transaction.objectStore('copies').delete(copy);
      await dropParts(transaction, copy);
      await transaction.done;
    },
    async sweep() {
      const transaction = (await opened()).transaction(EVERYTHING, 'readwrite');
      const kept = new Set(await transaction.objectStore('copies').getAllKeys());
      const names = new Set([
        ...(await transaction.objectStore('seen').getAllKeys()),
        ...(await transaction.objectStore('pieces').getAllKeys()).map(([copy]) => copy),
        ...(await transaction.objectStore('bodies').getAllKeys()).map(([copy]) => copy),
      ]);
      for (const name of names) if (!kept.has(name)) await dropParts(transaction, name);
      await transaction.done;
    },
    async deviceKey(make) {
      const database = await opened();
      const known = await database.get('device', DEVICE_KEY);
      if (known !== undefined) return known;
      const made = await make();
      // If two tabs create it at once, the first wins.
      await database.add('device', made, DEVICE_KEY).catch(() => undefined);
      return (await database.get('device', DEVICE_KEY)) ?? made;
    },
  };
}

async function dropParts(
  transaction: IDBPTransaction<Shape, typeof EVERYTHING, 'readwrite'>,
  copy: string,
): Promise<void> {
  await transaction.objectStore('seen').delete(copy);
  await transaction.objectStore('pieces').delete(stepsOf(copy));
  await transaction.objectStore('bodies').delete(bodiesOf(copy));
}

function open(name: string, ends: OpenDBCallbacks<Shape>): Promise<IDBPDatabase<Shape>> {
  return openDB<Shape>(name, 1, {
    upgrade(database) {
      for (const store of ['copies', 'pieces', 'seen', 'bodies', 'device'] as const) database.createObjectStore(store);
    },
    ...ends,
  });
}
