/**
 * This browser's copy of the trust record (ADR 23). Writes are compare-and-set, because other tabs write too.
 */
import * as z from 'zod/mini';
import { encodeHex, randomBytes } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { mergeTrust } from '@passwordbroker/core/domain/trust/merge-trust';
import { compactTrustRecord, readTrustRecord, type TrustRecord } from '@passwordbroker/core/domain/trust/trust-record';

const seconds = z.int().check(z.nonnegative());
const COPY = z.looseObject({
  v: z.literal(1),
  /** This browser in the record. */
  id: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  first: seconds,
  /** Largest version seen of the server's record: detects a rollback. */
  seen: seconds,
  /** It has changes that the server lacks. */
  pending: z.boolean(),
  /** The person's doubt, and since when. */
  doubted: z.tuple([z.boolean(), seconds]),
  /** The person started a new record: earlier server documents are ignored. 0: never. */
  begun: z._default(seconds, 0),
  /** Until the person has confirmed or denied it. */
  lastUse: z._default(
    z.nullable(z.object({ at: seconds, browser: z.string(), group: z.nullable(z.array(z.string())) })),
    null,
  ),
  record: z.unknown(),
  /** By group: hash of the accepted list, admins as [userId, fingerprint]. */
  admins: z.record(z.string(), z.tuple([z.string(), z.array(z.tuple([z.string(), z.string()]))])),
});

type Admins = z.output<typeof COPY>['admins'];

/** `group`: path of the group that was changed last. */
export interface LastUse {
  /** Unix seconds. */
  readonly at: number;
  readonly browser: string;
  readonly group: readonly string[] | null;
}

export interface OwnCopy {
  readonly id: string;
  readonly first: number;
  readonly seen: number;
  readonly pending: boolean;
  readonly doubted: readonly [boolean, number];
  readonly begun: number;
  readonly lastUse: LastUse | null;
  readonly record: TrustRecord;
  readonly admins: Admins;
}

/** `a` wins for admins and the last use. */
export function mergeCopies(a: OwnCopy, b: OwnCopy): OwnCopy {
  return {
    id: a.first <= b.first ? a.id : b.id,
    first: Math.min(a.first, b.first),
    seen: Math.max(a.seen, b.seen),
    pending: a.pending || b.pending,
    doubted: a.doubted[1] >= b.doubted[1] ? a.doubted : b.doubted,
    begun: Math.max(a.begun, b.begun),
    lastUse: a.lastUse === null || b.lastUse === null ? null : a.lastUse,
    record: recordOf(a, b),
    admins: { ...b.admins, ...a.admins },
  };
}

/** A tab that missed the start of a new record still has the former one, which is dropped. */
function recordOf(a: OwnCopy, b: OwnCopy): TrustRecord {
  if (a.begun === b.begun) return mergeTrust(a.record, b.record);
  return a.begun > b.begun ? a.record : b.record;
}

export interface DeviceRow {
  readonly version: number;
  readonly blob_base64: string;
}

/** Trust records sealed under people's keys. Logout keeps them. */
export interface DeviceStore {
  /** `place`: user id and fingerprint. Rejects if the browser has no storage. */
  record(place: string): Promise<DeviceRow | null>;
  /** Writes if the present version is `version` (0: no row). @returns whether it wrote */
  replaceRecord(place: string, version: number, next: DeviceRow): Promise<boolean>;
  /** Accepted lists of release 1.0. */
  rosters(place: string): Promise<DeviceRow | null>;
  /** Newest version of `pins` that release 1.0 saw under this key. */
  seenPins(userId: string, fingerprint: string): Promise<number | null>;
}

interface OwnCopyStore {
  /** Null: none, the store fails, or it does not open. @throws CryptoError `locked` */
  read(): Promise<OwnCopy | null>;
  /**
   * Stores the copy, merged with what another tab wrote. Rejects if the store fails.
   * @returns `wasLost`: an earlier write was deleted
   */
  write(copy: OwnCopy): Promise<{ readonly copy: OwnCopy; readonly wasLost: boolean }>;
  /** Written by another tab. Null: none, or it does not open. */
  news(): Promise<OwnCopy | null>;
  isLost(): Promise<boolean>;
}

const TRIES = 20;

/** One row per own key: a copy sealed under other keys is never overwritten. */
export function ownCopyOf(keyring: Keyring, deviceStore: DeviceStore): OwnCopyStore {
  const place = `${keyring.userId} ${keyring.fingerprint}`;
  let known = { version: 0, copy: null as OwnCopy | null };
  let looking: Promise<OwnCopy | null> | null = null;

  async function look(): Promise<{ readonly version: number; readonly copy: OwnCopy | null }> {
    const stored = await deviceStore.record(place);
    if (stored === null) return { version: 0, copy: null };
    if (stored.version === known.version) return known;
    return { version: stored.version, copy: await opened(stored) };
  }

  async function opened({ version, blob_base64 }: { version: number; blob_base64: string }): Promise<OwnCopy | null> {
    try {
      return await openDocument(keyring, { name: 'trust-device', n: version }, blob_base64, readCopy);
    } catch (failure) {
      if (failure instanceof CryptoError && failure.code !== 'locked') return null;
      throw failure;
    }
  }

  return {
    async read() {
      known = await look().catch(withoutStored);
      return known.copy;
    },
    async write(copy) {
      let next = copy;
      let present = known;
      let wasLost = false;
      for (let tries = 0; tries < TRIES; tries += 1) {
        const version = Math.max(present.version, known.version) + 1;
        const content = { v: 1, ...next, record: compactTrustRecord(next.record) };
        const blob = await sealDocument(keyring, { name: 'trust-device', n: version }, content);
        if (await deviceStore.replaceRecord(place, present.version, { version, blob_base64: blob })) {
          known = { version, copy: next };
          return { copy: next, wasLost };
        }
        const found = await look();
        wasLost ||= found.version === 0 && known.version > 0;
        if (found.copy !== null && found.version !== present.version) next = mergeCopies(next, found.copy);
        present = found;
      }
      throw new Error('The device store is written by too many tabs at once');
    },
    news() {
      looking ??= look()
        .catch(() => known)
        .then((present) => {
          if (present === known || present.version === 0) return null;
          known = present;
          return present.copy;
        })
        .finally(() => (looking = null));
      return looking;
    },
    isLost: async () => known.version > 0 && (await deviceStore.record(place)) === null,
  };
}

const withoutStored = () => ({ version: 0, copy: null });

function readCopy(raw: unknown): OwnCopy {
  const read = COPY.safeParse(raw);
  if (!read.success) throw new CryptoError('payload');
  const { id, first, seen, pending, doubted, begun, lastUse, admins } = read.data;
  return { id, first, seen, pending, doubted, begun, lastUse, admins, record: readTrustRecord(read.data.record) };
}

export const newCopy = (record: TrustRecord): OwnCopy => ({
  id: encodeHex(randomBytes(16)),
  first: Math.floor(Date.now() / 1000),
  seen: 0,
  pending: false,
  doubted: [false, 0],
  begun: 0,
  lastUse: null,
  record,
  admins: {},
});
