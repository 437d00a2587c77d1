/** Collects what a reader finds; keeps the limits of the vault, and says what does not fit as it is. */
import { distinctTags, readDay, tagKey, tagProblem, writeDay } from '../entry-marks.ts';
import { LIMITS as VAULT } from '../limits.ts';
import { EXCHANGE_LIMITS as LIMITS, ExchangeError } from './exchange-error.ts';
import { shorten, shownTitle } from './shown-text.ts';
import { splitEntry, TOO_LARGE } from './split-entry.ts';
import {
  type ExchangeTree,
  type PlainContent,
  type TreeEntry,
  type TreeField,
  type TreeGroup,
  type TreeRevision,
  skippedCounter,
} from './tree.ts';

/** Unix ms; null or missing: not known. */
type Time = number | null | undefined;

export interface FoundEntry {
  /** As `group` returned it. */
  readonly group: number;
  readonly title: string;
  readonly created?: Time;
  readonly modified?: Time;
  readonly expires?: Time;
  readonly tags?: readonly string[];
  /** Lines that stand at the end of the notes: 'Favourite'. */
  readonly marks?: readonly string[];
  readonly notes?: string;
  /** In the order in which they are shown; the notes come last, before files. */
  readonly fields: readonly TreeField[];
}

export interface TreeBuilder {
  /** Index of the group with this path below the root, made when it is new; `[]` is the root. */
  group(path: readonly string[], times?: { readonly created?: Time; readonly modified?: Time }): number;
  /** @throws ExchangeError above a limit */
  add(entry: FoundEntry): void;
  /** @param kind a noun in the singular. @param place 'Group / Title' */
  leaveOut(kind: string, reason: string, place?: string): void;
  /** 'Group / Title', as remarks name an entry. */
  placeOf(group: number, title: string): string;
  end(): ExchangeTree;
}

/** @param now Unix ms; later times are unknown times */
export function treeBuilder(now: number): TreeBuilder {
  const skipped = skippedCounter();
  const groups: TreeGroup[] = [{ name: '', parent: null, created: null, modified: null }];
  const byPath = new Map<string, number>();
  const entries: TreeEntry[] = [];
  let fields = 0;
  let files = 0;
  let last: { readonly path: readonly string[]; readonly group: number } = { path: [], group: 0 };

  const time = (at: Time): number | null => (typeof at === 'number' && at >= EARLIEST && at <= now ? at : null);
  const placeOf = (group: number, title: string) => {
    const name = groups[group]?.name ?? '';
    const shown = shownTitle(oneLine(title));
    return name === '' ? shown : `${name} / ${shown}`;
  };

  const childOf = (parent: number, name: string, key: string): number => {
    const known = byPath.get(key);
    if (known !== undefined) return known;
    if (groups.length >= LIMITS.groups) throw ExchangeError.unreadable('it has too many groups');
    const shown = shownTitle(oneLine(name));
    if (shown !== oneLine(name).trim() && name.trim() !== '')
      skipped.add('group name', `cut to ${VAULT.name} characters`);
    const at = groups.push({ name: shown, parent, created: null, modified: null }) - 1;
    byPath.set(key, at);
    return at;
  };

  return {
    placeOf,
    leaveOut: (kind, reason, place) => skipped.add(kind, reason, 1, place),
    group(path, { created, modified } = {}) {
      const isLast = path.length === last.path.length && path.every((name, depth) => name === last.path[depth]);
      // Entries of one group often follow each other.
      if (isLast && created === undefined && modified === undefined) return last.group;
      let at = 0;
      let key = '';
      // The root is the first level.
      for (const name of path.slice(0, VAULT.treeDepth - 1)) {
        key += `/${JSON.stringify(name.trim())}`;
        at = childOf(at, name, key);
      }
      const deeper = JSON.stringify(path.slice(VAULT.treeDepth - 1));
      if (path.length >= VAULT.treeDepth && !byPath.has(key + deeper)) {
        skipped.add('group', `below level ${VAULT.treeDepth}, so its entries are in the group above`);
        byPath.set(key + deeper, at);
      }
      const group = groups[at];
      if (group !== undefined && (created !== undefined || modified !== undefined))
        groups[at] = { ...group, created: time(created), modified: time(modified) };
      last = { path, group: at };
      return at;
    },
    add(entry) {
      const place = placeOf(entry.group, entry.title);
      const title = oneLine(entry.title);
      const clean: TreeField[] = [];
      for (const field of entry.fields) cleanField(field, clean, time, place, skipped);
      const { texts, held } = marksOf(entry);
      const notes = joined(entry.notes ?? '', texts.join('\n'));
      const isFile = ({ type }: TreeField) => type === 'file';
      const ownFiles = clean.some(isFile) ? clean.filter(isFile) : NONE;
      const all = ownFiles.length === 0 ? clean : clean.filter((field) => !isFile(field));
      if (notes !== '') all.push(noteField('Notes', notes));
      if (title.trim() !== entry.title.trim() || title.trim().length > VAULT.title)
        all.push(noteField('Whole title', entry.title));
      all.push(...ownFiles);
      if (all.length === 0) {
        skipped.add('entry', 'empty', 1, place);
        return;
      }
      for (const { revisions } of all) for (const { content } of revisions) demandSize(content, place);
      files += ownFiles.length;
      if (files > LIMITS.fileCount) throw ExchangeError.unreadable(`it has more than ${LIMITS.fileCount} files`);
      if ((fields += all.length) > LIMITS.fields) throw ExchangeError.unreadable('it has too many fields');
      const parts = splitEntry({
        group: entry.group,
        title: shownTitle(title),
        tags: held.tags,
        expires: held.expires,
        created: time(entry.created),
        modified: time(entry.modified),
        fields: all,
      });
      if (parts.length > 1) skipped.add('entry', TOO_LARGE, 1, place);
      if (entries.length + parts.length > LIMITS.entries) throw ExchangeError.unreadable('it has too many entries');
      entries.push(...parts);
    },
    end: () => ({ groups, entries, skipped: skipped.list() }),
  };
}

/** 1990: earlier times are those of empty clocks. */
const EARLIEST = Date.UTC(1990, 0, 1);

const NONE: readonly never[] = [];

const present = (type: TreeField['type'], content: PlainContent, past: readonly TreeRevision[] = NONE): TreeField => {
  const revision = { content, at: null };
  return { type, revisions: past.length === 0 ? [revision] : [...past, revision] };
};

/** @param past former values, oldest first */
export const passwordField = (
  title: string,
  login: string,
  value: string,
  past: readonly { readonly value: string; readonly login?: string; readonly at: number | null }[] = NONE,
): TreeField =>
  present(
    'password',
    { type: 'password', title, login, value },
    past.map((former) => ({
      content: { type: 'password', title, login: former.login ?? login, value: former.value },
      at: former.at,
    })),
  );

export const noteField = (title: string, value: string): TreeField => present('note', { type: 'note', title, value });

/** 'URL', 'URL 2', … of those that are not blank. */
export const linkFields = (urls: readonly string[]): TreeField[] =>
  [...new Set(urls.map((url) => url.trim()).filter((url) => url !== ''))].map((value, at) =>
    present('link', { type: 'link', title: at === 0 ? 'URL' : `URL ${at + 1}`, value }),
  );

export const fileField = (name: string, bytes: Extract<PlainContent, { type: 'file' }>['bytes']): TreeField => {
  const safe = shorten(oneLine(name).replaceAll(/[\\/]/g, '_').trim(), VAULT.fileName) || 'attachment';
  return present('file', { type: 'file', title: shorten(safe, VAULT.title), name: safe, bytes });
};

const PASSKEY = /^Passkey for /;

/** @param json the passkey in the form of FIDO CXF, so that an export gives it back */
export const passkeyField = (host: string, json: Readonly<Record<string, unknown>>): TreeField =>
  passwordField(`Passkey for ${host}`, '', JSON.stringify(json));

const joined = (notes: string, lines: string): string => {
  if (notes.trim() === '') return lines;
  return lines === '' ? notes : `${notes}\n\n${lines}`;
};

/** Adds a field to `clean`: without empty values; titles and logins short enough, and whole in a note of their own. */
function cleanField(
  field: TreeField,
  clean: TreeField[],
  time: (at: Time) => number | null,
  place: string,
  skipped: ReturnType<typeof skippedCounter>,
): void {
  const { type, revisions } = field;
  const kept = revisions.length > LIMITS.versions ? revisions.slice(-LIMITS.versions) : revisions;
  if (kept.length < revisions.length)
    skipped.add(
      'version',
      `of a field with more than ${LIMITS.versions}, the oldest of them`,
      revisions.length - kept.length,
      place,
    );
  const last = kept.at(-1)?.content;
  if (last === undefined || isEmpty(last)) return;
  if (PASSKEY.test(last.title))
    skipped.add('passkey', 'kept as text; signing in with it is not possible here', 1, place);
  const title = shownTitle(oneLine(last.title));
  const isAsItIs = (one: PlainContent) =>
    one.title === title && (one.type !== 'password' || shownLogin(one.login) === one.login);
  // Most fields are: nothing is copied.
  if (kept.length === revisions.length && kept.every(({ content, at }) => isAsItIs(content) && time(at) === at)) {
    clean.push(field);
    return;
  }
  const notes: TreeField[] = [];
  if (last.type !== 'file' && oneLine(last.title).trim().length > VAULT.title)
    notes.push(noteField('Whole name of a field', last.title));
  if (last.type === 'password' && shownLogin(last.login) !== last.login) notes.push(noteField('User name', last.login));
  const shown = kept.map(({ content, at }) => {
    const titled = { ...content, title };
    return {
      content: titled.type === 'password' ? { ...titled, login: shownLogin(titled.login) } : titled,
      at: time(at),
    };
  });
  clean.push({ type, revisions: shown }, ...notes);
}

const shownLogin = (login: string) => shorten(oneLine(login), VAULT.login);

const isEmpty = (content: PlainContent): boolean => {
  if (content.type === 'file') return false;
  return content.value === '' && (content.type !== 'password' || content.login === '');
};

const encoder = new TextEncoder();

function demandSize(content: PlainContent, place: string): void {
  if (content.type === 'file') {
    if (content.bytes.length > LIMITS.file) throw ExchangeError.unreadable('an attachment is too large');
  } else if (content.value.length * 3 > LIMITS.text && encoder.encode(content.value).length > LIMITS.text)
    throw new ExchangeError('unreadable', `A text of “${place}” is too long.`);
}

/** Control characters become spaces. */
const oneLine = (text: string): string => (CONTROL.test(text) ? text.replaceAll(CONTROLS, ' ') : text);
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const CONTROLS = new RegExp(CONTROL, 'gu');

const UNMARKED = { texts: NONE, held: { tags: NONE, expires: null } };

/** Tags and the due date that an entry can have, and lines for what it cannot. */
function marksOf({ tags = NONE, marks = NONE, expires: told }: FoundEntry) {
  const expires = told ?? null;
  if (tags.length === 0 && marks.length === 0 && expires === null) return UNMARKED;
  const holdable = distinctTags(tags.map((tag) => tag.trim()).filter((tag) => tagProblem(tag) === null));
  const held = holdable.slice(0, VAULT.entryTags);
  const keys = new Set(held.map(tagKey));
  const others = tags.filter((tag) => tag.trim() !== '' && !keys.has(tagKey(tag)));
  const day = expires === null || Number.isNaN(new Date(expires).getTime()) ? null : readDay(writeDay(expires));
  const texts = [
    ...(others.length === 0 ? [] : [`Tags: ${others.join(', ')}`]),
    ...marks,
    ...(expires === null || day === expires ? [] : [`Expires: ${shownTime(expires)}`]),
  ];
  return { texts, held: { tags: held, expires: day } };
}

/** '2027.01.31 00:00 UTC' */
export function shownTime(ms: number): string {
  if (Number.isNaN(new Date(ms).getTime())) return String(ms);
  const [date = '', time = ''] = new Date(ms).toISOString().split('T');
  return `${date.replaceAll('-', '.')} ${time.slice(0, 5)} UTC`;
}
