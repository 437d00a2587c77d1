/**
 * Tokens for other servers, sealed in IndexedDB under a key that script cannot read. Access to the browser's
 * files gives both.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import * as z from 'zod/mini';
import { createDeviceKey, openOnDevice, sealOnDevice, type DeviceKey } from '../keyring/device-seal.ts';
import { keptDatabase } from './kept-database.ts';
import { clientId } from '../session/client-id.ts';
import type { PlainStore, TokenRecord, TokenRecords } from '../platform.ts';

const Record = z.object({
  user_id: z.string(),
  login: z.string(),
  name: z.string(),
  url: z.string(),
  token: z.string(),
  is_admin: z.boolean(),
  is_left: z.optional(z.boolean()),
});

interface Store extends DBSchema {
  tokens: { key: string; value: { readonly url: string; readonly sealed: Uint8Array<ArrayBuffer> } };
  keys: { key: string; value: DeviceKey };
}

const DEVICE_KEY = 'tokens';

type Row = Store['tokens']['value'] | undefined;

export function openTokenRecords(store: () => PlainStore, name = 'passwordbroker-tokens'): TokenRecords {
  const connected = keptDatabase<Store>((ends) =>
    openDB<Store>(name, 1, {
      upgrade(made) {
        made.createObjectStore('tokens', { keyPath: 'url' });
        made.createObjectStore('keys');
      },
      ...ends,
    }),
  );
  const nameOf = (url: string) => `token ${url}`;
  const rowOf = async (url: string): Promise<Row> => (await connected()).get('tokens', url);

  /** null if it does not open, for example because the browser cleared the former key. */
  async function opened(url: string, row: Row): Promise<TokenRecord | null> {
    if (row === undefined) return null;
    try {
      const key = await deviceKey(await connected());
      const record = Record.parse(JSON.parse(await openOnDevice(key, nameOf(url), row.sealed)));
      return record.url === url ? record : null;
    } catch {
      return null;
    }
  }

  async function sealed(record: TokenRecord): Promise<NonNullable<Row>> {
    const key = await deviceKey(await connected());
    return { url: record.url, sealed: await sealOnDevice(key, nameOf(record.url), JSON.stringify(record)) };
  }

  /** Does nothing if another tab wrote meanwhile: opening and sealing take time. */
  async function replace(url: string, row: Row, next: Row) {
    const transaction = (await connected()).transaction('tokens', 'readwrite');
    const last = await transaction.store.get(url);
    if (String(last?.sealed) === String(row?.sealed))
      await (next === undefined ? transaction.store.delete(url) : transaction.store.put(next));
    await transaction.done;
  }

  const of = async (url: string) => {
    const record = await opened(url, await rowOf(url));
    return record?.is_left === true ? null : record;
  };

  return {
    of,
    async keep(record) {
      const row = await sealed(record);
      await (await connected()).put('tokens', row);
    },
    async leave(url) {
      const row = await rowOf(url);
      const record = await opened(url, row);
      if (record !== null && record.is_left !== true)
        await replace(url, row, await sealed({ ...record, is_left: true }));
    },
    async leftAt(url) {
      const record = await opened(url, await rowOf(url));
      return record?.is_left === true ? record : null;
    },
    async all() {
      const found = await Promise.all((await (await connected()).getAllKeys('tokens')).map(of));
      return found.filter((record) => record !== null);
    },
    async forget(url, token) {
      if (token === undefined) return (await connected()).delete('tokens', url);
      const row = await rowOf(url);
      if ((await opened(url, row))?.token === token) await replace(url, row, undefined);
    },
    clientId: () => clientId(store),
  };
}

/** Creates the key once, not extractable. If two tabs create it at once, the first wins. */
async function deviceKey(database: IDBPDatabase<Store>): Promise<DeviceKey> {
  const known = await database.get('keys', DEVICE_KEY);
  if (known !== undefined) return known;
  const made = await createDeviceKey();
  await database.add('keys', made, DEVICE_KEY).catch(() => undefined);
  return (await database.get('keys', DEVICE_KEY)) ?? made;
}
