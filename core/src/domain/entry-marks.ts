/** Tags, icon and due date of an entry: for everybody who sees it, in the clear like its title. */
import { LIMITS } from './limits.ts';
import { foldText } from './search-text.ts';

/** Names of Lucide icons. */
export const ENTRY_ICONS = [
  'key',
  'server',
  'database',
  'credit-card',
  'terminal',
  'plug',
  'sticky-note',
  'globe',
  'mail',
  'cloud',
  'router',
  'wifi',
  'monitor',
  'smartphone',
  'printer',
  'hard-drive',
  'code',
  'bug',
  'shield',
  'lock',
  'landmark',
  'shopping-cart',
  'building-2',
  'briefcase',
  'user',
  'users',
  'phone',
  'message-circle',
  'calendar',
  'camera',
  'car',
  'plane',
  'house',
  'heart',
  'book-open',
  'file-text',
] as const;
export type EntryIcon = (typeof ENTRY_ICONS)[number];

/** As a response shows an entry without them. */
export const UNMARKED = { tags: [] as string[], icon: null, due_at: null, due_kind: null, rotate_days: null };

export const TAG_TEXTS = {
  many: `An entry has at most ${LIMITS.entryTags} tags.`,
  long: `A tag has at most ${LIMITS.tag} characters.`,
  blank: 'A tag has at least one letter or digit.',
  line: 'A tag is one line without commas and semicolons.',
} as const;

/** Equal for tags that differ in case and accents only; as in a search for `tag:`. */
export const tagKey = (tag: string): string => foldText(tag).trim();

/** Why a trimmed tag cannot be stored, or null. */
export function tagProblem(tag: string): string | null {
  if (tag.length > LIMITS.tag) return TAG_TEXTS.long;
  if (/[,;\p{Cc}\p{Surrogate}\u2028\u2029]/u.test(tag)) return TAG_TEXTS.line;
  return tagKey(tag) === '' ? TAG_TEXTS.blank : null;
}

/** Each tag once, trimmed, in the order of their keys. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag.trim());
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
}

/** What is due: to change the password, the end of something, or a look at it. */
export const DUE_KINDS = ['rotate', 'expires', 'review'] as const;
export type DueKind = (typeof DUE_KINDS)[number];

export const DAY_TEXT = 'The date is a day from 2000 to 2199, such as 2027-01-31.';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Milliseconds at the beginning of the day in UTC; null for a text that is no day from 2000 to 2199. */
export function readDay(text: string): number | null {
  const ms = /^2[01]\d\d-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) || writeDay(ms) !== text ? null : ms;
}

/** '2027-01-31' */
export const writeDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The beginning of a day in UTC, `days` after the day of `ms`. */
export const dayAfter = (ms: number, days: number): number => ms - (ms % DAY_MS) + days * DAY_MS;

/** A search for `due:week` finds entries that are due today or in so many days. */
export const DUE_SOON_DAYS = 7;

/** 'late' once the day has passed in UTC; null without a date. */
export function dueStateOf(day: string | null, now: number): 'late' | 'week' | 'later' | null {
  const due = day === null ? null : readDay(day);
  if (due === null) return null;
  if (due < dayAfter(now, 0)) return 'late';
  return due <= dayAfter(now, DUE_SOON_DAYS) ? 'week' : 'later';
}
