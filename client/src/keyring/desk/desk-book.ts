/** The desk in the worker: the server's document merged with this browser's copy, which has the recent entries. */
import * as z from 'zod/mini';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import {
  type Desk,
  type DeskChange,
  EMPTY_DESK,
  isSameDesk,
  mergeDesks,
  mergeRecent,
  present,
  readDesk,
  RECENT,
  type Recent,
  withChange,
} from '@passwordbroker/core/domain/desk';
import { openDocument, sealDocument, type StoredDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import type { DeskView, SealedDesk } from '../calls.ts';
import { KeyringError, trustError } from '../keyring-error.ts';
import type { DeviceStore } from '../trust/own-copy.ts';

export interface DeskBook {
  view(): DeskView;
  /** Resolves when the change is stored in this browser. @throws KeyringError 'favourites_full', 'searches_full' */
  change(change: DeskChange): Promise<void>;
  /** Puts an entry on top of the recent ones. */
  use(entryId: string): Promise<void>;
  /** Null: the server has everything, or its document is damaged and the person has not begun a new one. */
  sealed(): Promise<SealedDesk | null>;
  stored(version: number): void;
  /** Merges the server's document. */
  read(document: StoredDocument | null): Promise<void>;
  /** Replaces a damaged document. */
  begin(): void;
}

const seconds = () => Math.floor(Date.now() / 1000);

interface DeviceDesk {
  readonly desk: Desk;
  readonly recent: readonly Recent[];
}

const DEVICE_DESK = z.object({ v: z.literal(1), desk: z.unknown(), recent: z.array(RECENT) });

/** Reads this browser's copy; without one, or if it does not open, only the server's document counts. */
export async function openDesk(
  keyring: Keyring,
  deviceStore: DeviceStore,
  document: StoredDocument | null,
): Promise<DeskBook> {
  const place = `${keyring.userId} ${keyring.fingerprint} desk`;
  let deviceVersion = 0;
  let kept: DeviceDesk = { desk: EMPTY_DESK, recent: [] };
  let server = { n: 0, desk: EMPTY_DESK };
  let isDamaged = false;
  /** A list begun anew is written even if it is empty, in place of the damaged one. */
  let isBegun = false;
  let sent: Desk | null = null;
  let saving: Promise<void> | null = null;
  let isChanged = false;

  await mergeDevice();
  await take(document);

  /** Merges what this tab or another one wrote. */
  async function mergeDevice(): Promise<void> {
    const row = await deviceStore.record(place).catch(() => null);
    if (row === null || row.version === deviceVersion) return;
    deviceVersion = row.version;
    const found = await opened('desk-device', { version: row.version, blob_base64: row.blob_base64 }, readDeviceDesk);
    if (found !== null) kept = mergeDeviceDesks(kept, found);
  }

  async function take(stored: StoredDocument | null): Promise<void> {
    const desk = stored === null ? EMPTY_DESK : await opened('desk', stored, readDesk);
    isDamaged = desk === null;
    server = { n: stored?.version ?? 0, desk: desk ?? EMPTY_DESK };
    kept = { ...kept, desk: mergeDesks(kept.desk, server.desk, seconds()) };
  }

  /** Null: damaged. @throws CryptoError `locked` */
  async function opened<T>(
    name: 'desk' | 'desk-device',
    { version, blob_base64 }: StoredDocument,
    read: (raw: unknown) => T,
  ): Promise<T | null> {
    try {
      return await openDocument(keyring, { name, n: version }, blob_base64, read);
    } catch (failure) {
      if (failure instanceof CryptoError && failure.code !== 'locked') return null;
      throw failure;
    }
  }

  /** Changes during a write are combined in the next one. If the store fails, the copy stays in memory. */
  function save(): Promise<void> {
    isChanged = true;
    saving ??= writeAll()
      .catch((failure: unknown) => {
        if (failure instanceof CryptoError && failure.code === 'locked') throw failure;
      })
      .finally(() => (saving = null));
    return saving;
  }

  async function writeAll(): Promise<void> {
    for (let tries = 0; isChanged && tries < TRIES; tries += 1) {
      isChanged = false;
      const version = deviceVersion + 1;
      const blob_base64 = await sealDocument(keyring, { name: 'desk-device', n: version }, { v: 1, ...kept });
      if (await deviceStore.replaceRecord(place, deviceVersion, { version, blob_base64 })) deviceVersion = version;
      else {
        const before = deviceVersion;
        await mergeDevice();
        // The browser has deleted the row.
        if (deviceVersion === before) deviceVersion = 0;
        isChanged = true;
      }
    }
  }

  return {
    view: () => ({
      favourites: present(kept.desk.favourites).map(({ kind, id }) => ({ kind, id })),
      searches: present(kept.desk.searches).map(({ id, name, query }) => ({ id, name, query })),
      recent: kept.recent.map(({ id }) => id),
      isDamaged,
    }),
    async change(change) {
      const desk = withChange(kept.desk, change, seconds());
      if (desk === null) throw trustError('favourite' in change ? 'favourites_full' : 'searches_full');
      kept = { ...kept, desk };
      await save();
    },
    async use(entryId) {
      const [newest] = kept.recent;
      if (newest?.id === entryId) return;
      const at = Math.max(seconds(), (newest?.at ?? -1) + 1);
      kept = { ...kept, recent: mergeRecent(kept.recent, [{ id: entryId, at }]) };
      await save();
    },
    async sealed() {
      if (isDamaged || (!isBegun && isSameDesk(kept.desk, server.desk))) return null;
      sent = mergeDesks(kept.desk, server.desk, seconds());
      const version = server.n + 1;
      return {
        replaces: server.n,
        version,
        blob_base64: await sealDocument(keyring, { name: 'desk', n: version }, sent),
      };
    },
    stored(version) {
      if (sent === null || version !== server.n + 1) throw new KeyringError({ code: 'internal', detail: 'desk' });
      server = { n: version, desk: sent };
      isBegun = false;
    },
    async read(stored) {
      await take(stored);
      await save();
    },
    begin() {
      isBegun = isDamaged;
      isDamaged = false;
    },
  };
}

const TRIES = 20;

function readDeviceDesk(raw: unknown): DeviceDesk {
  const read = DEVICE_DESK.safeParse(raw);
  if (!read.success) throw new CryptoError('payload');
  return { desk: readDesk(read.data.desk), recent: mergeRecent(read.data.recent, []) };
}

const mergeDeviceDesks = (a: DeviceDesk, b: DeviceDesk): DeviceDesk => ({
  desk: mergeDesks(a.desk, b.desk, seconds()),
  recent: mergeRecent(a.recent, b.recent),
});
