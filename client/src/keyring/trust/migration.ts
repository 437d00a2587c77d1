/** Imports the trust data of release 1.0: accepted lists from the device store, decided keys from `pins`. */
import { type AcceptedRoster, readAcceptedRosters } from '@passwordbroker/core/domain/rosters/accepted-rosters';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openDocument, type StoredDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { type Pin, type Pins, readPins } from '@passwordbroker/core/domain/trust/pins';
import {
  decidedKeysOf,
  EMPTY_RECORD,
  type TrustRecord,
  withAcceptedList,
  withDecidedKey,
} from '@passwordbroker/core/domain/trust/trust-record';
import type { DeviceStore } from './own-copy.ts';

/** Null: release 1.0 was not used in this browser. @throws CryptoError `locked` */
export async function recordFromBefore(
  keyring: Keyring,
  deviceStore: DeviceStore,
  pins: StoredDocument | null,
): Promise<TrustRecord | null> {
  const { userId, fingerprint } = keyring;
  const named = await deviceStore.rosters(`${userId} ${fingerprint}`).catch(() => null);
  const stored = named ?? (await deviceStore.rosters(userId).catch(() => null));
  const seen = await deviceStore.seenPins(userId, fingerprint).catch(() => null);
  if (stored === null && seen === null) return null;
  const rosters = stored === null ? null : await openedOrNull(keyring, 'rosters', stored, readAcceptedRosters);
  const withGroups = [...(rosters ?? [])].reduce(withFormerRow, {
    ...EMPTY_RECORD,
    // Rejects an older list than this browser saw.
    pins_n: Math.max(0, (seen ?? 0) - 1),
  });
  return withPins(keyring, withGroups, pins);
}

/** Unchanged if this version was imported before. @throws CryptoError `locked` */
export async function withPins(
  keyring: Keyring,
  record: TrustRecord,
  pins: StoredDocument | null,
): Promise<TrustRecord> {
  if (pins === null || pins.version <= record.pins_n) return record;
  const read = await openedOrNull(keyring, 'pins', pins, readPins);
  // The version is unproven unless the document opens.
  if (read === null) return record;
  const merged = [...read].reduce(withPin, record);
  return { ...merged, pins_n: pins.version };
}

/** Skips keys that were never confirmed. @throws CryptoError `locked` */
export async function decidedPins(keyring: Keyring, pins: StoredDocument | null): Promise<Pins> {
  const read = pins === null ? null : await openedOrNull(keyring, 'pins', pins, readPins);
  return new Map([...(read ?? [])].filter(([, { met }]) => met !== true));
}

function withPin(record: TrustRecord, [userId, pin]: [string, Pin]): TrustRecord {
  if (pin.met === true) return record;
  const { fingerprint, name, how, firstSeen } = pin;
  const person = record.users[userId];
  const laterThan = (at: number | undefined) => (at ?? 0) >= firstSeen;
  const isOld = laterThan(person?.over[fingerprint]) && person?.over[fingerprint] !== undefined;
  const isReplaced = decidedKeysOf(record, userId).some(
    (known) => known !== fingerprint && laterThan(person?.keys[known]?.[1]),
  );
  if (isOld || isReplaced) return record;
  return withDecidedKey(record, { userId, name, fingerprint }, how, firstSeen);
}

function withFormerRow(record: TrustRecord, [groupId, row]: [string, AcceptedRoster]): TrustRecord {
  // Nothing was confirmed.
  if (row.unpinned === true || row.gone === true) return record;
  const accepted = {
    groupId,
    hash: row.hash,
    seq: row.seq,
    // The next accepted list sets it.
    gkVersion: 0,
    role: row.role ?? null,
    hasProof: false,
    path: [],
    origin: row.origin ?? 'client',
    how: 'migrated' as const,
  };
  return withAcceptedList(record, accepted, Math.floor(Date.now() / 1000));
}

async function openedOrNull<T>(
  keyring: Keyring,
  name: 'pins' | 'rosters',
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
