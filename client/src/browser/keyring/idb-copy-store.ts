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
      const act = (await opened()).transaction('copies', 'readwrite');
      const present = await act.store.get(copy);
      if (present === undefined) await act.store.put(record, copy);
      await act.done;
      return present ?? record;
    },
    async change(copy, change) {
      const act = (await opened()).transaction('copies', 'readwrite');
      const present = await act.store.get(copy);
      if (present !== undefined) await act.store.put({ ...present, ...change }, copy);
      await act.done;
    },
    pieces: async (copy) => (await opened()).getAll('pieces', stepsOf(copy)),
    lastStep: async (copy) => (await (await opened()).getAllKeys('pieces', stepsOf(copy))).at(-1)?.[1] ?? 0,
    async add(copy, piece, { after, isWhole }) {
      const act = (await opened()).transaction(['copies', 'pieces', 'seen'], 'readwrite', { durability: 'strict' });
      const pieces = act.objectStore('pieces');
      const last = (await pieces.getAllKeys(stepsOf(copy))).at(-1)?.[1] ?? 0;
      // A copy that was wiped meanwhile is not restored.
      const isKept = (await act.objectStore('copies').getKey(copy)) !== undefined;
      if (last !== after || !isKept) {
        await act.done;
        return false;
      }
      if (isWhole) await pieces.delete(stepsOf(copy));
      const { step, timestamp } = piece;
      await pieces.put(piece, [copy, step]);
      await act.objectStore('seen').put({ step, timestamp }, copy);
      await act.done;
      return true;
    },
    seen: async (copy) => (await opened()).get('seen', copy),
    body: async (copy, fieldId) => (await (await opened()).get('bodies', [copy, fieldId])) ?? null,
    async bodies(copy) {
      const kept: Pick<KeptBody, 'fieldId' | 'rev'>[] = [];
      const act = (await opened()).transaction('bodies');
      for await (const { value } of act.store.iterate(bodiesOf(copy)))
        kept.push({ fieldId: value.fieldId, rev: value.rev });
      return kept;
    },
    async keepBody(copy, body) {
      const act = (await opened()).transaction(['copies', 'bodies'], 'readwrite');
      const isKept = (await act.objectStore('copies').getKey(copy)) !== undefined;
      if (isKept) await act.objectStore('bodies').put(body, [copy, body.fieldId]);
      await act.done;
    },
    async dropBodies(copy, fieldIds) {
      const act = (await opened()).transaction('bodies', 'readwrite');
      await Promise.all([...fieldIds.map((fieldId) => act.store.delete([copy, fieldId])), act.done]);
    },
    async wipeParts(copy) {
      const act = (await opened()).transaction(EVERYTHING, 'readwrite');
      const record = await act.objectStore('copies').get(copy);
      if (record !== undefined) await act.objectStore('copies').put({ ...record, key: null, salt: null }, copy);
      await dropParts(act, copy);
      await act.done;
    },
    async remove(copy) {
      const act = (await opened()).transaction(EVERYTHING, 'readwrite');
      await act.objectStore('copies').delete(copy);
      await dropParts(act, copy);
      await act.done;
    },
    async sweep() {
      const act = (await opened()).transaction(EVERYTHING, 'readwrite');
      const kept = new Set(await act.objectStore('copies').getAllKeys());
      const names = new Set([
        ...(await act.objectStore('seen').getAllKeys()),
        ...(await act.objectStore('pieces').getAllKeys()).map(([copy]) => copy),
        ...(await act.objectStore('bodies').getAllKeys()).map(([copy]) => copy),
      ]);
      for (const name of names) if (!kept.has(name)) await dropParts(act, name);
      await act.done;
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

async function dropParts(act: IDBPTransaction<Shape, typeof EVERYTHING, 'readwrite'>, copy: string): Promise<void> {
  await act.objectStore('seen').delete(copy);
  await act.objectStore('pieces').delete(stepsOf(copy));
  await act.objectStore('bodies').delete(bodiesOf(copy));
}

function open(name: string, ends: OpenDBCallbacks<Shape>): Promise<IDBPDatabase<Shape>> {
  return openDB<Shape>(name, 1, {
    upgrade(database) {
      for (const store of ['copies', 'pieces', 'seen', 'bodies', 'device'] as const) database.createObjectStore(store);
    },
    ...ends,
  });
}
