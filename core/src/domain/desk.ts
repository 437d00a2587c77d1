/**
 * A person's desk: favourites and saved searches in the sealed document `desk` (docs/spec/crypto.md §13).
 * Times are unix seconds. Functions return a new desk.
 */
import * as z from 'zod/mini';
import { CryptoError } from '../crypto/errors.ts';

export const DESK_LIMITS = {
  favourites: 500,
  searches: 50,
  /** Entries used last, which one browser keeps. */
  recent: 30,
  searchName: 100,
  searchQuery: 1024,
  /** After this a removal is forgotten. */
  removalDays: 90,
  /** Rows in a list, removals included. */
  rows: 5_000,
} as const;

const seconds = z.int().check(z.nonnegative());
const id = z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/));
const rowsOf = <Row extends z.ZodMiniType>(row: Row) =>
  z._default(z.array(row).check(z.maxLength(DESK_LIMITS.rows)), []);

const FAVOURITE_KINDS = ['entry', 'group'] as const;
const FAVOURITE = z.object({ kind: z.enum(FAVOURITE_KINDS), id, at: seconds, gone: z.optional(z.literal(true)) });
const SEARCH = z.object({
  id,
  name: z.string().check(z.maxLength(DESK_LIMITS.searchName)),
  query: z.string().check(z.maxLength(DESK_LIMITS.searchQuery)),
  at: seconds,
  gone: z.optional(z.literal(true)),
});
const DESK = z.looseObject({ v: z.literal(1), favourites: rowsOf(FAVOURITE), searches: rowsOf(SEARCH) });

export type Favourite = z.output<typeof FAVOURITE>;
export type SavedSearch = z.output<typeof SEARCH>;
export type Desk = z.output<typeof DESK>;

/** An entry in which something was opened, copied or changed. */
export const RECENT = z.object({ id, at: seconds });
export type Recent = z.output<typeof RECENT>;

export type DeskChange =
  | { readonly favourite: Pick<Favourite, 'kind' | 'id'>; readonly isOn: boolean }
  /** `search` null removes it. */
  | { readonly searchId: string; readonly search: Pick<SavedSearch, 'name' | 'query'> | null };

export const EMPTY_DESK: Desk = { v: 1, favourites: [], searches: [] };

/** Keeps unknown members. @throws CryptoError `payload` */
export function readDesk(raw: unknown): Desk {
  const read = DESK.safeParse(raw);
  if (!read.success) throw new CryptoError('payload');
  return read.data;
}

/** Favourites and searches that were not removed, oldest first. */
export const present = <Row extends { readonly at: number; readonly gone?: true | undefined }>(
  rows: readonly Row[],
): readonly Row[] => rows.filter(({ gone }) => gone !== true).sort((a, b) => a.at - b.at);

/** Null: the list is full. @throws CryptoError `payload` for a change that the document cannot hold */
export function withChange(desk: Desk, change: DeskChange, now: number): Desk | null {
  if ('favourite' in change) {
    const { favourite, isOn } = change;
    const favourites = withRow(desk.favourites, favourite, isOn, now, DESK_LIMITS.favourites);
    return favourites === null ? null : readDesk({ ...desk, favourites });
  }
  const { searchId, search } = change;
  const former = desk.searches.find((one) => one.id === searchId);
  const row = { id: searchId, name: former?.name ?? '', query: former?.query ?? '', ...search };
  const searches = withRow(desk.searches, row, search !== null, now, DESK_LIMITS.searches);
  return searches === null ? null : readDesk({ ...desk, searches });
}

interface Row {
  readonly kind?: string;
  readonly id: string;
  readonly at: number;
  readonly gone?: true | undefined;
}

/** Later than the row that it replaces, even after the clock was set back. Null: `most` are present. */
function withRow<R extends Row>(
  rows: readonly R[],
  row: Omit<R, 'at' | 'gone'>,
  isOn: boolean,
  now: number,
  most: number,
): R[] | null {
  const next = row as unknown as R;
  const former = rows.find((one) => keyOf(one) === keyOf(next));
  const others = rows.filter((one) => one !== former);
  if (isOn && present(others).length >= most) return null;
  const at = Math.max(now, (former?.at ?? -1) + 1);
  return [...others, { ...next, at, ...(isOn ? {} : { gone: true }) }];
}

const keyOf = ({ kind = '', id: rowId }: Row) => `${kind} ${rowId}`;

/**
 * Of each row the later one, so order and repetition do not matter. Above a limit the oldest rows go, and
 * removals after 90 days.
 */
export function mergeDesks(a: Desk, b: Desk, now: number): Desk {
  return {
    ...a,
    ...b,
    favourites: mergeRows(a.favourites, b.favourites, now, DESK_LIMITS.favourites),
    searches: mergeRows(a.searches, b.searches, now, DESK_LIMITS.searches),
  };
}

function mergeRows<R extends Row>(a: readonly R[], b: readonly R[], now: number, most: number): R[] {
  const rows = new Map<string, R>();
  for (const row of [...a, ...b]) {
    const known = rows.get(keyOf(row));
    if (known === undefined || isLater(row, known)) rows.set(keyOf(row), row);
  }
  const ordered = [...rows.values()].sort((one, other) => (isLater(one, other) ? -1 : 1));
  const removals = ordered.filter(({ at, gone }) => gone === true && at > now - DESK_LIMITS.removalDays * 86_400);
  const kept = ordered.filter(({ gone }) => gone !== true).slice(0, most);
  return [...kept, ...removals.slice(0, DESK_LIMITS.rows - most)];
}

/** At the same second the text decides, so that every device keeps the same row. */
function isLater(one: Row, other: Row): boolean {
  return one.at === other.at ? textOf(one) > textOf(other) : one.at > other.at;
}

const textOf = (row: Row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Whether the server's document lacks nothing of `desk`. */
export function isSameDesk(desk: Desk, stored: Desk): boolean {
  const text = ({ favourites, searches, ...rest }: Desk) =>
    JSON.stringify([textsOf(favourites), textsOf(searches), textOf(rest as unknown as Row)]);
  return text(desk) === text(stored);
}

const textsOf = (rows: readonly Row[]) => rows.map(textOf).sort();

/** The newest `DESK_LIMITS.recent` of both, newest first. */
export function mergeRecent(a: readonly Recent[], b: readonly Recent[]): readonly Recent[] {
  const latest = new Map<string, number>();
  for (const { id: entryId, at } of [...a, ...b]) latest.set(entryId, Math.max(at, latest.get(entryId) ?? 0));
  return [...latest]
    .map(([entryId, at]) => ({ id: entryId, at }))
    .sort((one, other) => other.at - one.at || (one.id < other.id ? -1 : 1))
    .slice(0, DESK_LIMITS.recent);
}
