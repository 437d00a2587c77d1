/** The trust record in the worker (ADR 23): the server's document merged with this browser's copy. */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openDocument, sealDocument, type StoredDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { mergeTrust } from '@passwordbroker/core/domain/trust/merge-trust';
import {
  compactTrustRecord,
  lastUsed,
  readTrustRecord,
  type TrustRecord,
  withoutOldDeletedGroups,
} from '@passwordbroker/core/domain/trust/trust-record';
import {
  type AccountTrust,
  lastUseIn,
  stateOf,
  usedBrowsers,
  wasAskedStrict,
  withDecidedStrict,
  withStrict,
} from './trust-view.ts';
import { recordFromBefore, withPins } from './migration.ts';
import { mergeCopies, newCopy, ownCopyOf, type OwnCopy, type DeviceStore } from './own-copy.ts';

/** `now` in unix seconds. */
type RecordChange = (record: TrustRecord, now: number) => TrustRecord;

/** They may sign a list that supersedes theirs. */
export interface AcceptedAdmins {
  readonly groupId: string;
  readonly hash: string;
  readonly admins: readonly { readonly userId: string; readonly fingerprint: string }[];
}

interface SealedRecord {
  /** Version on the server; 0: none. */
  readonly replaces: number;
  readonly version: number;
  readonly blob_base64: string;
  /** Send at once: a decision of the person, or newer than the server's record. */
  readonly isUrgent: boolean;
}

export interface TrustBook {
  /** Null: missing or in doubt. */
  record(): TrustRecord | null;
  /** The record before this unlock. Null: no operation may run that the person did not start. */
  before(): TrustRecord | null;
  adminsOf(groupId: string): AcceptedAdmins | null;
  /** Whether only compared keys count, by the site or the person. */
  isStrict(): boolean;
  /** True: nothing may be sealed or wrapped until the person has answered. */
  asksLastUse(): boolean;
  account(): AccountTrust;
  /** Applies a person's change, if there is a record; resolves when it is stored in this browser. */
  decide(change: RecordChange, admins?: AcceptedAdmins): Promise<void>;
  /** As last read or written. Null: none, or it does not open. */
  onServer(): { readonly n: number; readonly record: TrustRecord } | null;
  /** Applies a change by a rule; stored 300 ms later. */
  accept(change: RecordChange, admins: AcceptedAdmins): void;
  /** For the server. Null: nothing pending, or the record is missing or in doubt. */
  sealed(): Promise<SealedRecord | null>;
  /** @throws Error for another version than the one sealed last */
  stored(version: number): Promise<void>;
  /** After three in a row `account().writeProblem` has the reason. */
  failed(reason: string): void;
  /** Merges the server's document. @returns false if there is none, or it does not open */
  read(document: StoredDocument | null): Promise<boolean>;
  /** Replaces a missing or doubted record. Earlier documents of the server are ignored from now on. */
  begin(record: TrustRecord): Promise<void>;
  doubt(isDoubted: boolean): Promise<void>;
  answerLastUse(): Promise<void>;
  /** Once on, it stays until the person decides otherwise. */
  setSite(isStrict: boolean): Promise<void>;
  setStrict(isStrict: boolean): Promise<void>;
  /** Merges what other tabs wrote. @returns whether the record changed */
  mergeOtherTabs(): Promise<boolean>;
  /** Writes the copy again if the device store lost it. */
  restoreLostCopy(): Promise<void>;
}

export interface TrustSources {
  readonly deviceStore: DeviceStore;
  readonly document: StoredDocument | null;
  /** Of release 1.0. */
  readonly pins: StoredDocument | null;
  /** The keyset says that a record was made with the keys. */
  readonly isMarked: boolean;
  /** For people: 'Firefox on Linux'. */
  readonly browser: string;
  /** The key bundle is an offline copy's. */
  readonly isOffline: boolean;
}

const DAY = 86_400;
/** A new browser asks about a last use that is longer ago. */
const LONG_AGO = 7 * DAY;
/** Failed writes in a row. */
const TELL_AFTER = 3;
const PASSIVE_MS = 300;

const seconds = () => Math.floor(Date.now() / 1000);

export async function openTrustBook(keyring: Keyring, sources: TrustSources): Promise<TrustBook> {
  const { deviceStore, isMarked, browser } = sources;
  const own = ownCopyOf(keyring, deviceStore);
  const kept = await own.read();
  const shown = await openCounting(sources.document, kept?.begun ?? 0);
  const former = kept === null ? await recordFromBefore(keyring, deviceStore, sources.pins) : null;
  const hasMemory = kept !== null || former !== null;
  let serverN = sources.document?.version ?? 0;
  let failures = 0;
  let writeProblem: string | null = null;
  let wasStorageDeleted = false;
  /** Null: not known yet. */
  let siteStrict: boolean | null = null;
  let isBehind = kept !== null && !sources.isOffline && (shown === null || serverN < kept.seen);
  let wasPutBack = false;
  let copy: OwnCopy | null = beginning();
  let isUrgentPending = false;
  const before = hasMemory && !isBehind ? (copy?.record ?? null) : null;
  let lastUse = hasMemory ? (copy?.lastUse ?? null) : lastUseIn(copy?.record ?? null);
  let sentRecord: TrustRecord | null = null;
  let sentVersion = 0;
  let onServer = shown === null ? null : { n: serverN, record: shown };
  let saving: Promise<void> = Promise.resolve();
  let queued: Promise<void> | null = null;
  let endDelay = () => undefined as void;

  function beginning(): OwnCopy | null {
    if (kept !== null) {
      const merged = shown === null ? kept.record : mergeTrust(kept.record, shown);
      const seen = Math.max(kept.seen, shown === null ? 0 : serverN);
      return { ...kept, seen, pending: kept.pending || isBehind, record: merged };
    }
    const both = shown !== null && former !== null ? mergeTrust(shown, former) : (shown ?? former);
    // Made with a record, the keys cannot have data of release 1.0.
    if (both === null || (shown === null && isMarked)) return null;
    const first = hasMemory ? newCopy(both) : firstUseCopy(both);
    return { ...first, seen: shown === null ? 0 : serverN, pending: former !== null };
  }

  /** Null also for a document that the person has replaced. */
  async function openCounting(document: StoredDocument | null, begun: number): Promise<TrustRecord | null> {
    return document === null || document.version <= begun ? null : opened(keyring, document);
  }

  const isStrict = () => siteStrict === true || copy?.record.strict[0] === true;
  const isDoubted = () => copy?.doubted[0] === true;
  const record = () => (copy === null || isDoubted() ? null : copy.record);

  function changed(change: RecordChange, admins: AcceptedAdmins | undefined): void {
    if (copy === null) return;
    const next = change(copy.record, seconds());
    const isSame = next === copy.record;
    const accepted = admins === undefined ? copy.admins : withAdmins(copy.admins, admins);
    if (isSame && accepted === copy.admins) return;
    copy = { ...copy, record: next, admins: accepted, pending: copy.pending || !isSame };
  }

  /** Writes are sequential; changes during a write are combined in the next one. */
  function save(delayMs = 0): Promise<void> {
    if (delayMs === 0) endDelay();
    if (queued !== null) return queued;
    const delay = new Promise<void>((resolve) => {
      endDelay = resolve;
      setTimeout(resolve, delayMs);
    });
    const next = Promise.all([saving, delay]).then(() => {
      queued = null;
      return write();
    });
    queued = next;
    saving = next.catch(() => undefined);
    return next;
  }

  async function write(): Promise<void> {
    if (copy === null) return;
    const sent = copy;
    // If the store fails, the copy stays in memory.
    const stored = await own.write(sent).catch((failure: unknown) => {
      if (failure instanceof CryptoError && failure.code === 'locked') throw failure;
      return null;
    });
    if (stored === null) return;
    wasStorageDeleted ||= stored.wasLost;
    copy = copy === sent ? stored.copy : mergeCopies(copy, stored.copy);
  }

  async function readDocument(document: StoredDocument | null): Promise<boolean> {
    const read = await openCounting(document, copy?.begun ?? 0);
    const n = document?.version ?? 0;
    serverN = n;
    onServer = read === null ? null : { n, record: read };
    if (read === null) {
      isBehind ||= copy !== null;
      if (copy !== null) copy = { ...copy, pending: true };
      return false;
    }
    if (copy === null) {
      copy = { ...firstUseCopy(read), seen: n };
      lastUse = lastUseIn(read);
    } else {
      // Another browser wrote after the doubt started, which ends it.
      const isSettled = copy.doubted[0] && read.at > copy.doubted[1] && read.by !== copy.id;
      if (n < copy.seen) {
        isBehind = true;
        copy = { ...copy, pending: true };
      }
      copy = {
        ...copy,
        seen: Math.max(copy.seen, n),
        record: mergeTrust(copy.record, read),
        doubted: isSettled ? [false, seconds()] : copy.doubted,
      };
    }
    await save();
    return true;
  }

  if (copy !== null && sources.pins !== null && sources.pins.version > copy.record.pins_n) {
    // A page of release 1.0 that was still open wrote it.
    copy = { ...copy, record: await withPins(keyring, copy.record, sources.pins), pending: true };
  }
  if (copy !== null) {
    const row = copy.record.browsers[copy.id];
    if (!sources.isOffline && (row === undefined || row[2] < seconds() - DAY)) copy = { ...copy, pending: true };
    await save();
  }

  return {
    record,
    before: () => (record() === null || isBehind ? null : before),
    adminsOf(groupId) {
      const row = copy?.admins[groupId];
      return row === undefined ? null : { groupId, hash: row[0], admins: row[1].map(adminOf) };
    },
    isStrict,
    asksLastUse: () => (copy?.lastUse ?? null) !== null,
    account: () => ({
      state: stateOf({ copy, isBehind, isMarked }),
      n: Math.max(serverN, copy?.seen ?? 0),
      at: copy?.record.at ?? 0,
      browsers: usedBrowsers(copy),
      hasMemory,
      lastUse,
      asksLastUse: (copy?.lastUse ?? null) !== null,
      wasPutBack,
      writeProblem: failures >= TELL_AFTER ? writeProblem : null,
      wasStorageDeleted,
      isStrict: isStrict(),
      asksStrict: siteStrict === false && copy !== null && copy.record.strict[0] && !wasAskedStrict(copy.record),
    }),
    async decide(change, admins) {
      changed(change, admins);
      isUrgentPending = true;
      await save();
    },
    onServer: () => onServer,
    accept(change, admins) {
      changed(change, admins);
      save(PASSIVE_MS).catch(() => undefined);
    },
    async sealed() {
      if (copy === null || !copy.pending || isDoubted()) return null;
      const now = seconds();
      const [, first = now] = copy.record.browsers[copy.id] ?? [];
      const browsers = lastUsed({ ...copy.record.browsers, [copy.id]: [browser, first, now] });
      const record = withoutOldDeletedGroups(copy.record, now);
      copy = { ...copy, record: { ...record, by: copy.id, at: Math.max(record.at, now), browsers } };
      const version = Math.max(serverN, copy.seen) + 1;
      sentRecord = copy.record;
      sentVersion = version;
      const blob_base64 = await sealDocument(keyring, { name: 'trust', n: version }, compactTrustRecord(copy.record));
      return { replaces: serverN, version, blob_base64, isUrgent: isUrgentPending || isBehind };
    },
    async stored(version) {
      if (copy === null) return;
      if (version !== sentVersion) throw new Error('The server has stored another version of the trust record');
      serverN = version;
      failures = 0;
      if (sentRecord !== null) onServer = { n: version, record: sentRecord };
      wasPutBack ||= isBehind;
      isBehind = false;
      const isWhole = sentRecord !== null && isSameRecord(copy.record, sentRecord);
      isUrgentPending &&= !isWhole;
      copy = { ...copy, seen: Math.max(copy.seen, version), pending: !isWhole };
      await save();
    },
    failed(reason) {
      failures += 1;
      writeProblem = reason;
    },
    read: readDocument,
    async begin(next) {
      await saving;
      const now = seconds();
      // `pins` counts as imported, so that its keys do not enter the new record.
      const pins_n = Math.max(next.pins_n, copy?.record.pins_n ?? 0, sources.pins?.version ?? 0);
      const record = { ...next, pins_n, strict: copy?.record.strict ?? next.strict };
      const begun = copy === null ? newCopy(record) : { ...copy, record, admins: {} };
      copy = {
        ...begun,
        pending: true,
        doubted: [false, Math.max(now, begun.doubted[1] + 1)],
        begun: serverN,
        lastUse: null,
        seen: Math.max(begun.seen, serverN),
      };
      isUrgentPending = true;
      isBehind = false;
      await save();
    },
    async doubt(doubted) {
      if (copy === null) return;
      copy = { ...copy, doubted: [doubted, Math.max(seconds(), copy.doubted[1] + 1)] };
      await save();
    },
    async answerLastUse() {
      if (copy === null) return;
      copy = { ...copy, lastUse: null };
      await save();
    },
    async setSite(isRequired) {
      siteStrict = isRequired;
      if (!isRequired || copy === null || copy.record.strict[0]) return;
      changed((present, now) => withStrict(present, true, now), undefined);
      await save();
    },
    async setStrict(isWanted) {
      changed((present, now) => withDecidedStrict(present, isWanted, now), undefined);
      isUrgentPending = true;
      await save();
    },
    async mergeOtherTabs() {
      const news = await own.news();
      if (news === null) return false;
      const before = copy?.record;
      copy = copy === null ? news : mergeCopies(copy, news);
      return JSON.stringify(copy.record) !== JSON.stringify(before);
    },
    async restoreLostCopy() {
      if (await own.isLost().catch(() => false)) await save();
    },
  };
}

/** Apart from old deleted groups. */
function isSameRecord(own: TrustRecord, sent: TrustRecord): boolean {
  const rest = withoutOldDeletedGroups(own, seconds());
  return rest === sent || JSON.stringify(mergeTrust(sent, rest)) === JSON.stringify(mergeTrust(sent, sent));
}

/** A browser without memory asks about a last use that is long ago. */
function firstUseCopy(record: TrustRecord): OwnCopy {
  const last = lastUseIn(record);
  return { ...newCopy(record), lastUse: last !== null && last.at < seconds() - LONG_AGO ? last : null };
}

/** Null if it does not open. @throws CryptoError `locked` */
async function opened(keyring: Keyring, document: StoredDocument | null): Promise<TrustRecord | null> {
  if (document === null) return null;
  try {
    const { version: n, blob_base64 } = document;
    return await openDocument(keyring, { name: 'trust', n }, blob_base64, readTrustRecord);
  } catch (failure) {
    if (failure instanceof CryptoError && failure.code !== 'locked') return null;
    throw failure;
  }
}

function withAdmins(all: OwnCopy['admins'], { groupId, hash, admins }: AcceptedAdmins): OwnCopy['admins'] {
  if (all[groupId]?.[0] === hash) return all;
  return {
    ...all,
    [groupId]: [hash, admins.map(({ userId, fingerprint }): [string, string] => [userId, fingerprint])],
  };
}

const adminOf = ([userId, fingerprint]: readonly [string, string]) => ({ userId, fingerprint });
