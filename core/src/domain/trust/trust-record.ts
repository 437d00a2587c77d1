/**
 * The trust record (ADR 23): a sealed document with the accepted lists of groups and the decided keys of
 * people. Times are unix seconds. Functions return a new record.
 */
import * as z from 'zod/mini';
import { CryptoError } from '../../crypto/errors.ts';
import { ROLES } from '../policy.ts';

/** Strongest first. The first four count as compared. */
export const KEY_WAYS = ['words', 'qr', 'invite', 'made', 'first-use', 'api'] as const;
export type KeyWay = (typeof KEY_WAYS)[number];
const COMPARED: ReadonlySet<KeyWay> = new Set(['words', 'qr', 'invite', 'made']);

export const ROW_REASONS = ['made', 'alone', 'signer', 'within', 'asked', 'api', 'migrated'] as const;
export type RowReason = (typeof ROW_REASONS)[number];

const MAX_BROWSERS = 20;

const seconds = z.int().check(z.nonnegative());
const count = seconds;
const hex = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const id = z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/));
const browserId = z.string().check(z.regex(/^[0-9a-f]{32}$/));

const PERSON = z.looseObject({
  name: z.string(),
  at: seconds,
  /** By fingerprint: how, and when last decided. */
  keys: z.record(hex, z.tuple([z.enum(KEY_WAYS), seconds])),
  /** Replaced fingerprints, and when. A later decision makes a key valid again. */
  over: z._default(z.record(hex, seconds), {}),
  /** When an accepted list left this person out; 0: never. */
  left: z._default(seconds, 0),
});

const GROUP = z.looseObject({
  /** Names from the root when last accepted or changed by this account. Empty: unknown. */
  path: z.array(z.string()),
  /**
   * Accepted lists by hash: sequence number and time. Several: browsers accepted different lists. None:
   * nobody signed, or two browsers replaced each other's lists.
   */
  heads: z.record(hex, z.tuple([count, seconds])),
  over: z._default(z.record(hex, seconds), {}),
  /** Of the last accepted list; `role` is the own one. */
  v: count,
  role: z.nullable(z.enum(ROLES)),
  origin: z._default(z.enum(['client', 'server']), 'client'),
  proof: z._default(z.boolean(), true),
  how: z.enum(ROW_REASONS),
  /**
   * By user id: when this account removed them (true) or took that back (false), and at which sequence
   * number.
   */
  out: z._default(z.record(id, z.tuple([seconds, z.boolean(), count])), {}),
  at: seconds,
  gone: z._default(seconds, 0),
});

const RECORD = z.looseObject({
  v: z.literal(1),
  at: seconds,
  by: z.string(),
  /** Former own fingerprints that lead to the present one. */
  own: z.array(hex),
  /** Only compared keys count, and since when. */
  strict: z.tuple([z.boolean(), seconds]),
  /** Imported version of the document `pins` of release 1.0. */
  pins_n: count,
  /** By browser id: name, first and last use. */
  browsers: z.record(browserId, z.tuple([z.string(), seconds, seconds])),
  users: z.record(id, PERSON),
  groups: z.record(id, GROUP),
});

export type TrustRecord = z.output<typeof RECORD>;
export type TrustedPerson = z.output<typeof PERSON>;
export type TrustedGroup = z.output<typeof GROUP>;

export const EMPTY_RECORD: TrustRecord = {
  v: 1,
  at: 0,
  by: '',
  own: [],
  strict: [false, 0],
  pins_n: 0,
  browsers: {},
  users: {},
  groups: {},
};

/** Keeps unknown members. @throws CryptoError `payload` */
export function readTrustRecord(raw: unknown): TrustRecord {
  const read = RECORD.safeParse(raw);
  if (!read.success) throw new CryptoError('payload');
  return read.data;
}

/** Without defaults: 500 groups and 200 people take less than 150 kB. */
export function compactTrustRecord({ users, groups, ...rest }: TrustRecord): object {
  return {
    ...rest,
    users: mapRows(users, ({ over, left, ...person }) => ({
      ...person,
      ...(isEmpty(over) ? {} : { over }),
      ...(left === 0 ? {} : { left }),
    })),
    groups: mapRows(groups, ({ over, origin, proof, out, gone, ...group }) => ({
      ...group,
      ...(isEmpty(over) ? {} : { over }),
      ...(origin === 'client' ? {} : { origin }),
      ...(proof ? {} : { proof }),
      ...(isEmpty(out) ? {} : { out }),
      ...(gone === 0 ? {} : { gone }),
    })),
  };
}

const mapRows = <Row, Next>(rows: Readonly<Record<string, Row>>, map: (row: Row) => Next): Record<string, Next> =>
  Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, map(row)]));

const isEmpty = (rows: object): boolean => Object.keys(rows).length === 0;

export interface DecidedKey {
  readonly userId: string;
  readonly name: string;
  readonly fingerprint: string;
}

const NEW_PERSON: TrustedPerson = { name: '', at: 0, keys: {}, over: {}, left: 0 };

/** Replaces the person's other keys. A compared key stays compared. */
export function withDecidedKey(record: TrustRecord, key: DecidedKey, way: KeyWay, now: number): TrustRecord {
  const { userId, name, fingerprint } = key;
  const person = record.users[userId] ?? NEW_PERSON;
  const others = decidedKeysOf(record, userId).filter((known) => known !== fingerprint);
  // Later than anything it replaces, even after the clock was set back.
  const at = Math.max(now, (person.over[fingerprint] ?? 0) + 1, person.left + 1);
  const over = { ...person.over, ...Object.fromEntries(others.map((known) => [known, endOf(person, known, now)])) };
  const keys = { ...person.keys, [fingerprint]: strongerKey(person.keys[fingerprint], [way, at]) };
  return withPerson(record, userId, { ...person, name, at: Math.max(now, person.at), keys, over }, now);
}

/** Decides a key that the decided one signed (`sig_prev`) in the same way. */
export function withRenewedKey(record: TrustRecord, key: DecidedKey, now: number): TrustRecord {
  const former = decidedKeysOf(record, key.userId).find((known) => known !== key.fingerprint);
  const way = former === undefined ? undefined : record.users[key.userId]?.keys[former]?.[0];
  return way === undefined ? record : withDecidedKey(record, key, way, now);
}

/** Marks people as left out of an accepted list. */
export function withLeft(record: TrustRecord, userIds: readonly string[], now: number): TrustRecord {
  return userIds.reduce((next, userId) => {
    const person = next.users[userId];
    return person === undefined ? next : withPerson(next, userId, { ...person, left: Math.max(person.left, now) }, now);
  }, record);
}

export interface AcceptedList {
  readonly groupId: string;
  readonly hash: string;
  readonly seq: number;
  readonly gkVersion: number;
  readonly role: TrustedGroup['role'];
  readonly hasProof: boolean;
  readonly path: readonly string[];
  readonly origin: TrustedGroup['origin'];
  readonly how: RowReason;
}

/** Accepts a list that follows from the group's heads, or the first one. */
export function withAcceptedList(record: TrustRecord, list: AcceptedList, now: number): TrustRecord {
  const row = record.groups[list.groupId];
  const at = Math.max(now, (row?.over[list.hash] ?? 0) + 1);
  const next: TrustedGroup = {
    ...row,
    path: [...list.path],
    heads: { [list.hash]: [list.seq, at] },
    over: row?.over ?? {},
    v: list.gkVersion,
    role: list.role,
    origin: row?.origin === 'client' ? 'client' : list.origin,
    proof: list.hasProof || row?.proof === true,
    how: list.how,
    out: row?.out ?? {},
    at: Math.max(now, row?.at ?? 0),
    gone: row?.gone ?? 0,
  };
  return withGroup(record, list.groupId, next, now);
}

/** Adds a group that the server made and nobody signed, unless known. */
export function withServerGroup(
  record: TrustRecord,
  { groupId, gkVersion, ...shown }: Pick<AcceptedList, 'groupId' | 'gkVersion' | 'role' | 'path'>,
  now: number,
): TrustRecord {
  if (record.groups[groupId] !== undefined) return record;
  const { role, path } = shown;
  const common = { path: [...path], heads: {}, over: {}, v: gkVersion, role, out: {}, at: now, gone: 0 };
  return withGroup(record, groupId, { ...common, origin: 'server', proof: false, how: 'api' }, now);
}

/** Accepts a list that does not follow from the heads: every browser then drops them. */
export function withListInstead(record: TrustRecord, list: AcceptedList, now: number): TrustRecord {
  const row = record.groups[list.groupId];
  const former = Object.entries(row?.heads ?? {}).filter(([hash]) => hash !== list.hash);
  const over = Object.fromEntries(former.map(([hash, [, at]]) => [hash, Math.max(now, at)]));
  const next = withAcceptedList(record, list, now);
  const present = next.groups[list.groupId];
  if (present === undefined) return next;
  // The decision also covers a list without a key proof.
  return withGroup(next, list.groupId, { ...present, over: { ...present.over, ...over }, proof: list.hasProof }, now);
}

/** Accepts that the server shows no list of a group that it made. */
export function withoutLists(record: TrustRecord, groupId: string, now: number): TrustRecord {
  const row = record.groups[groupId];
  if (row === undefined) return record;
  const over = Object.fromEntries(Object.entries(row.heads).map(([hash, [, at]]) => [hash, Math.max(now, at)]));
  return withGroup(
    record,
    groupId,
    { ...row, heads: {}, over: { ...row.over, ...over }, at: Math.max(now, row.at) },
    now,
  );
}

export function withPath(record: TrustRecord, groupId: string, path: readonly string[], now: number): TrustRecord {
  const row = record.groups[groupId];
  return row === undefined
    ? record
    : withGroup(record, groupId, { ...row, path: [...path], at: Math.max(now, row.at) }, now);
}

/** Its `at` is 0, so any other row wins a merge. */
const UNKNOWN_GROUP: TrustedGroup = {
  path: [],
  heads: {},
  over: {},
  v: 0,
  role: null,
  origin: 'server',
  proof: false,
  how: 'asked',
  out: {},
  at: 0,
  gone: 0,
};

interface Removal {
  readonly groupId: string;
  readonly userId: string;
  readonly isOut: boolean;
  /** Used if no list was accepted yet. */
  readonly shownSeq?: number;
}

/** Removes somebody from a group (`isOut`), or takes that back. */
export function withRemoval(
  record: TrustRecord,
  { groupId, userId, isOut, shownSeq = 0 }: Removal,
  now: number,
): TrustRecord {
  const row = record.groups[groupId] ?? (isOut ? UNKNOWN_GROUP : undefined);
  if (row === undefined) return record;
  const at = Math.max(now, (row.out[userId]?.[0] ?? 0) + 1);
  const seq = isEmpty(row.heads) ? shownSeq : highestSeq(row);
  const out = { ...row.out, [userId]: [at, isOut, seq] satisfies TrustedGroup['out'][string] };
  return withGroup(record, groupId, { ...row, out }, now);
}

export function withDeletedGroup(record: TrustRecord, groupId: string, now: number): TrustRecord {
  const row = record.groups[groupId];
  return row === undefined ? record : withGroup(record, groupId, { ...row, gone: Math.max(now, row.at + 1) }, now);
}

const DELETED_KEPT_SECONDS = 400 * 86_400;

/** Drops groups that this account deleted over 400 days ago, not those that the server stopped showing. */
export function withoutOldDeletedGroups(record: TrustRecord, now: number): TrustRecord {
  const rows = Object.entries(record.groups);
  const kept = rows.filter(([, row]) => !isDeleted(row) || row.gone > now - DELETED_KEPT_SECONDS);
  return kept.length === rows.length ? record : { ...record, groups: Object.fromEntries(kept) };
}

const withPerson = (record: TrustRecord, userId: string, person: TrustedPerson, now: number): TrustRecord => ({
  ...record,
  at: Math.max(record.at, now),
  users: { ...record.users, [userId]: person },
});

const withGroup = (record: TrustRecord, groupId: string, row: TrustedGroup, now: number): TrustRecord => ({
  ...record,
  at: Math.max(record.at, now),
  groups: { ...record.groups, [groupId]: row },
});

const endOf = (person: TrustedPerson, fingerprint: string, now: number) =>
  Math.max(now, person.keys[fingerprint]?.[1] ?? 0);

/** Several: browsers decided differently. */
export function decidedKeysOf(record: TrustRecord, userId: string): readonly string[] {
  const person = record.users[userId];
  if (person === undefined) return [];
  return Object.entries(person.keys).flatMap(([fingerprint, [, at]]) =>
    at > (person.over[fingerprint] ?? -1) ? [fingerprint] : [],
  );
}

/** Exactly this key was decided, and compared. */
export function isCompared(record: TrustRecord, userId: string, fingerprint: string): boolean {
  const way = record.users[userId]?.keys[fingerprint]?.[0];
  return way !== undefined && COMPARED.has(way) && decidedKeysOf(record, userId).includes(fingerprint);
}

/** Left out of a list after the last decision about this key. */
export function hasLeft(record: TrustRecord, userId: string, fingerprint: string): boolean {
  const person = record.users[userId];
  return person !== undefined && person.left > 0 && person.left >= (person.keys[fingerprint]?.[1] ?? 0);
}

export const removedFrom = (row: TrustedGroup): readonly string[] =>
  Object.entries(row.out).flatMap(([userId, [, isOut]]) => (isOut ? [userId] : []));

export const highestSeq = (row: TrustedGroup): number => Math.max(0, ...Object.values(row.heads).map(([seq]) => seq));

export const isDeleted = ({ gone, at }: TrustedGroup): boolean => gone > at;

type Key = TrustedPerson['keys'][string];

/** The stronger way and the later time. */
export function strongerKey(a: Key | undefined, b: Key): Key {
  if (a === undefined) return b;
  const way = KEY_WAYS.find((known) => known === a[0] || known === b[0]) ?? b[0];
  return [way, Math.max(a[1], b[1])];
}

export function lastUsed(browsers: TrustRecord['browsers']): TrustRecord['browsers'] {
  const rows = Object.entries(browsers);
  if (rows.length <= MAX_BROWSERS) return browsers;
  rows.sort(([a, [, , lastA]], [b, [, , lastB]]) => lastB - lastA || (a < b ? -1 : 1));
  return Object.fromEntries(rows.slice(0, MAX_BROWSERS));
}
