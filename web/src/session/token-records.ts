/**
 * Tokens for other servers, one a server, kept across restarts of the browser (specification §3, §4). They lie in IndexedDB sealed under a key that
 * script can use and not read. Whoever has the files of the browser has both.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import * as z from 'zod/mini';
import { createDeviceKey, openOnDevice, sealOnDevice, type DeviceKey } from '../keyring/device-seal.ts';
import { clientId } from './client-id.ts';
import type { PlainStore } from './servers.ts';

/** The specification's record (§3). */
const TokenRecord = z.object({
  user_id: z.string(),
  /** E-mail. */
  login: z.string(),
  name: z.string(),
  /** Origin of the server. */
  url: z.string(),
  token: z.string(),
  is_admin: z.boolean(),
  /** Its owner logged out while the server could not be told: it is good for telling it, and for nothing else. */
  is_left: z.optional(z.boolean()),
});
export type TokenRecord = z.output<typeof TokenRecord>;

export interface TokenRecords {
  /** null: none for this server, or one that cannot be opened any more. */
  of(url: string): Promise<TokenRecord | null>;
  /** By server. */
  all(): Promise<readonly TokenRecord[]>;
  keep(record: TokenRecord): Promise<void>;
  /** @param token only this one: a newer one stays */
  forget(url: string, token?: string): Promise<void>;
  /** From now on it signs nobody in. */
  leave(url: string): Promise<void>;
  /** null: nothing is owed there. */
  leftAt(url: string): Promise<TokenRecord | null>;
  /** The name of this browser's tokens, made when it is first asked for. @throws Error with the text of the specification (§8) */
  clientId(): string;
}

interface Store extends DBSchema {
  tokens: { key: string; value: { readonly url: string; readonly sealed: Uint8Array<ArrayBuffer> } };
  keys: { key: string; value: DeviceKey };
}

const DEVICE_KEY = 'tokens';

export async function openTokenRecords(
  name = 'passwordbroker-tokens',
  store: () => PlainStore = () => localStorage,
): Promise<TokenRecords> {
  const database = await openDB<Store>(name, 1, {
    upgrade(made) {
      made.createObjectStore('tokens', { keyPath: 'url' });
      made.createObjectStore('keys');
    },
  });
  const key = await deviceKey(database);
  const nameOf = (url: string) => `token ${url}`;

  type Row = Store['tokens']['value'] | undefined;

  async function opened(url: string, row: Row): Promise<TokenRecord | null> {
    if (row === undefined) return null;
    try {
      const record = TokenRecord.parse(JSON.parse(await openOnDevice(key, nameOf(url), row.sealed)));
      return record.url === url ? record : null;
    } catch {
      return null;
    }
  }

  const of = async (url: string) => {
    const record = await opened(url, await database.get('tokens', url));
    return record?.is_left === true ? null : record;
  };

  async function keep(record: TokenRecord) {
    const sealed = await sealOnDevice(key, nameOf(record.url), JSON.stringify(record));
    await database.put('tokens', { url: record.url, sealed });
  }

  return {
    of,
    keep,
    async leave(url) {
      const record = await of(url);
      if (record !== null) await keep({ ...record, is_left: true });
    },
    async leftAt(url) {
      const record = await opened(url, await database.get('tokens', url));
      return record?.is_left === true ? record : null;
    },
    async all() {
      const found = await Promise.all((await database.getAllKeys('tokens')).map(of));
      return found.filter((record) => record !== null);
    },
    async forget(url, token) {
      if (token === undefined) return database.delete('tokens', url);
      const row = await database.get('tokens', url);
      if ((await opened(url, row))?.token !== token) return;
      const act = database.transaction('tokens', 'readwrite');
      const last = await act.store.get(url);
      // To open it took a while.
      if (String(last?.sealed) === String(row?.sealed)) await act.store.delete(url);
      await act.done;
    },
    clientId: () => clientId(store),
  };
}

/** Made once; it can be used here and read nowhere. Of two tabs that make it at once the first wins. */
async function deviceKey(database: IDBPDatabase<Store>): Promise<DeviceKey> {
  const known = await database.get('keys', DEVICE_KEY);
  if (known !== undefined) return known;
  const made = await createDeviceKey();
  await database.add('keys', made, DEVICE_KEY).catch(() => undefined);
  return (await database.get('keys', DEVICE_KEY)) ?? made;
}
