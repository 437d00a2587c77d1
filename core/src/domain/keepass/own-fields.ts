/**
 * What our own writer of KDBX says about an entry, in `CustomData`: types, titles, order and times that KeePass
 * has no place for. Values are never in it. It is ignored where a named string does not exist.
 */
import * as z from 'zod/mini';
import { FIELD_TYPES } from '../fields/field-kinds.ts';
import { LIMITS } from '../limits.ts';
import { totpOf } from '../exchange/one-time-password.ts';
import { shorten, shownTitle } from '../exchange/shown-text.ts';
import { readPasskey } from './passkey-strings.ts';
import type { TextContent } from './map-entry.ts';
import { type RawBinary, type RawEntry, type RawGroup, type RawUnsupported, readKeepassTime } from './raw.ts';

export const OWN_FIELDS = 'PasswordBroker.fields';
export const OWN_GROUP = 'PasswordBroker.group';

/** Unix ms; null: not known, so the file has the time of its writing. */
const time = z.nullable(z.int());
const TIMES = { created: time, modified: time, written: z.int() };
const FIELD = z.object({
  type: z.enum(FIELD_TYPES),
  title: z.string(),
  /** Number and time of the revision that this version has. */
  revision: z.int(),
  at: time,
  /** Name of the string, or of the attachment. */
  value: z.string(),
  /** Name of the string with the user name. */
  login: z.optional(z.string()),
  /** Of a file. */
  name: z.optional(z.string()),
  /** Further strings that repeat the value for other programs. */
  also: z.optional(z.array(z.string())),
});
const ENTRY = z.object({ ...TIMES, fields: z.array(FIELD) });
const GROUP = z.object({ ...TIMES, name: z.optional(z.string()) });

export type OwnField = z.infer<typeof FIELD>;
export type OwnEntry = z.infer<typeof ENTRY>;
export type OwnGroup = z.infer<typeof GROUP>;

/** The revision that a version has of a field. */
export interface Mark {
  readonly revision: number;
  readonly at: number | null;
}

export interface OwnFile {
  readonly binary: RawBinary;
  readonly title: string;
  readonly name: string;
}

/** Contents by a key that is the same in each version. */
export interface OwnContents {
  readonly texts: ReadonlyMap<string, TextContent>;
  readonly files: ReadonlyMap<string, OwnFile>;
  readonly marks: ReadonlyMap<string, Mark>;
  /** In the order of the fields. */
  readonly keys: readonly string[];
  /** The entry without them: what another program has added. */
  readonly rest: RawEntry;
}

/** Null for an entry of another program, or one that was changed so that it no longer fits. */
export function ownContents(entry: RawEntry): OwnContents | null {
  const own = parsed(ENTRY, entry.unsupported, OWN_FIELDS);
  if (own === null) return null;
  const strings = new Map(entry.strings.map(({ key, value }) => [key, value]));
  const binaries = new Map(entry.binaries.map((binary) => [binary.name, binary]));
  const texts = new Map<string, TextContent>();
  const files = new Map<string, OwnFile>();
  const marks = new Map<string, Mark>();
  const used = { strings: new Set<string>(), binaries: new Set<string>() };
  for (const field of own.fields) {
    const key = `own ${field.type === 'file' ? 'file' : 'text'} ${field.value}`;
    const title = shownTitle(field.title);
    if (field.type === 'file') {
      const binary = binaries.get(field.value);
      if (binary === undefined) return null;
      files.set(key, { binary, title, name: shorten(field.name ?? '', LIMITS.fileName) || 'attachment' });
      used.binaries.add(field.value);
    } else {
      const content = textOf({ ...field, title }, strings);
      if (content === null) return null;
      texts.set(key, content);
      for (const name of [field.value, field.login, ...(field.also ?? [])])
        if (name !== undefined) used.strings.add(name);
    }
    marks.set(key, { revision: field.revision, at: field.at });
  }
  const rest = {
    ...entry,
    strings: entry.strings.filter(({ key }) => !used.strings.has(key)),
    binaries: entry.binaries.filter(({ name }) => !used.binaries.has(name)),
  };
  return { texts, files, marks, keys: [...marks.keys()], rest };
}

function textOf(field: OwnField, strings: ReadonlyMap<string, string>): TextContent | null {
  const { type, title } = field;
  const passkey = field.value.startsWith('KPEX_') ? (readPasskey(strings)?.content.value ?? null) : undefined;
  const value = passkey === undefined ? (strings.get(field.value) ?? null) : passkey;
  if (value === null || type === 'file') return null;
  if (type === 'TOTP') return totpOfAddress(title, value);
  if (type !== 'password') return { type, title, value };
  const login = field.login === undefined ? '' : strings.get(field.login);
  return login === undefined ? null : { type, title, login: shorten(login, LIMITS.login), value };
}

const ADDRESS = 'otpauth://totp/';

/** As `totpAddress` writes it; the secret stays letter by letter. */
function totpOfAddress(title: string, address: string): TextContent | null {
  if (!address.startsWith(ADDRESS)) return null;
  const query = new URLSearchParams(address.slice(address.indexOf('?') + 1));
  const [secret, algorithm, period] = ['secret', 'algorithm', 'period'].map((name) => query.get(name));
  const totp = totpOf({ secret: secret ?? null, algorithm, period, digits: query.get('digits') });
  return totp === null
    ? null
    : { type: 'TOTP', title, value: totp.secret, algorithm: totp.algorithm, period: totp.period };
}

export function totpAddress({ title, value, algorithm, period }: Extract<TextContent, { type: 'TOTP' }>): string {
  const query = `secret=${value}&algorithm=${algorithm.toUpperCase()}&digits=6&period=${period}`;
  return `${ADDRESS}${encodeURIComponent(title)}?${query}`;
}

/** Name and times of a group or times of an entry, exactly; where another program has changed them, its own. */
export function ownTimes(raw: RawEntry | RawGroup): {
  readonly created: number | null;
  readonly modified: number | null;
} {
  const own = 'groups' in raw ? parsed(GROUP, raw.unsupported, OWN_GROUP) : parsed(ENTRY, raw.unsupported, OWN_FIELDS);
  const exact = (text: string, ms: number | null | undefined): number | null => {
    const read = readKeepassTime(text);
    const isOwn = own !== null && ms !== undefined && inSeconds(ms ?? own.written) === read;
    return isOwn ? ms : read;
  };
  return { created: exact(raw.times.created, own?.created), modified: exact(raw.times.modified, own?.modified) };
}

/** Null if the name in the XML is exact. */
export function ownName({ unsupported, name }: RawGroup): string | null {
  const own = parsed(GROUP, unsupported, OWN_GROUP)?.name;
  return own !== undefined && own.length <= LIMITS.name && xmlText(own) === name ? own : null;
}

/** KeePass has seconds. */
export const inSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000;

const NOT_IN_XML = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Without the characters that XML cannot hold, or would change: a carriage return. */
export const xmlText = (text: string): string => text.replaceAll(NOT_IN_XML, '\u{FFFD}');

function parsed<T>(schema: z.ZodMiniType<T>, items: readonly RawUnsupported[], key: string): T | null {
  const item = items.findLast((one) => one.kind === 'custom' && one.key === key);
  if (item === undefined) return null;
  try {
    const result = schema.safeParse(JSON.parse(item.value));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
