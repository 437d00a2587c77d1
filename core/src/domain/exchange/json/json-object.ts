/** JSON of other programs: its size is known first, own members only, and no member goes unread in silence. */
import type { Bytes } from '../../../crypto/bytes.ts';
import { EXCHANGE_LIMITS as LIMITS, ExchangeError } from '../exchange-error.ts';
import type { TreeField } from '../tree.ts';
import { noteField, type TreeBuilder } from '../tree-builder.ts';

type Members = Readonly<Record<string, unknown>>;

const NONE: Members = {};
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** For null, '' and what contains only these: they are not reported as lost. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) ? value.every(isEmpty) : isMembers(value) && Object.values(value).every(isEmpty));

/** Remembers which of its members were read; a member of another type than the one asked for is not. */
export class JsonObject {
  #members: Members;
  // Made when they are needed: a file has a million objects.
  #read: Set<string> | undefined;
  #children: Map<string, readonly JsonObject[]> | undefined;
  /** Elements of lists that are of another type than the one asked for. */
  #strays: Map<string, readonly unknown[]> | undefined;

  constructor(members: unknown) {
    this.#members = isMembers(members) ? members : NONE;
  }

  #mark(name: string): void {
    (this.#read ??= new Set()).add(name);
  }

  get names(): readonly string[] {
    return Object.keys(this.#members);
  }

  /** The value as it stands in the file; counts as unread. */
  peek(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }

  /** A text; numbers and booleans as they are written; '' for anything else. */
  text(name: string): string {
    const value = this.peek(name);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return '';
    this.#mark(name);
    return String(value);
  }

  number(name: string): number | null {
    const value = this.peek(name);
    if (typeof value !== 'number') return null;
    this.#mark(name);
    return value;
  }

  /** True for the JSON value true only. */
  flag(name: string): boolean {
    const value = this.peek(name);
    if (typeof value === 'boolean') this.#mark(name);
    return value === true;
  }

  /** Unix ms of a text such as '2027-01-31T10:00:00Z'; null if it is none. */
  time(name: string): number | null {
    const value = this.peek(name);
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(at)) return null;
    this.#mark(name);
    return at;
  }

  /** Unix ms of a number of seconds; null if it is none. */
  seconds(name: string): number | null {
    const at = this.number(name);
    return at === null ? null : at * 1000;
  }

  /** The same one each time; without members if there is no such object. */
  object(name: string): JsonObject {
    const value = this.peek(name);
    if (!isMembers(value)) return ABSENT;
    const known = this.#children?.get(name)?.[0];
    if (known !== undefined) return known;
    const child = new JsonObject(value);
    this.#readList(name, [child], []);
    return child;
  }

  /** The objects of a list, the same each time; its other elements count as unread. @throws ExchangeError above `most` */
  objects(name: string, most: number = LIMITS.fields, kind = 'fields'): readonly JsonObject[] {
    const value = this.peek(name);
    if (!Array.isArray(value)) return [];
    const known = this.#children?.get(name);
    if (known !== undefined) return known;
    if (value.length > most) throw ExchangeError.unreadable(`it has too many ${kind}`);
    const children = value.filter(isMembers).map((members) => new JsonObject(members));
    this.#readList(
      name,
      children,
      value.filter((element) => !isMembers(element)),
    );
    return children;
  }

  /** The values of an object that are objects, by their names. @throws ExchangeError above `most` */
  entries(name: string, most: number, kind: string): readonly (readonly [string, JsonObject])[] {
    const all = this.object(name);
    if (all.names.length > most) throw ExchangeError.unreadable(`it has too many ${kind}`);
    return all.names.filter((key) => isMembers(all.peek(key))).map((key) => [key, all.object(key)]);
  }

  /** The texts of a list; numbers and booleans as they are written. */
  texts(name: string): readonly string[] {
    const value = this.peek(name);
    if (!Array.isArray(value)) return [];
    const isText = (element: unknown) => ['string', 'number', 'boolean'].includes(typeof element);
    this.#readList(
      name,
      [],
      value.filter((element) => !isText(element)),
    );
    return value.filter(isText).map(String);
  }

  #readList(name: string, children: readonly JsonObject[], strays: readonly unknown[]): void {
    this.#mark(name);
    if (children.length > 0) (this.#children ??= new Map()).set(name, children);
    const full = strays.filter((stray) => !isEmpty(stray));
    if (full.length > 0) (this.#strays ??= new Map()).set(name, full);
  }

  /** Known, and left out on purpose: ids, settings, what other members repeat. */
  skip(...names: readonly string[]): void {
    for (const name of names) {
      if (!Object.hasOwn(this.#members, name)) continue;
      this.#mark(name);
      this.#children?.delete(name);
    }
  }

  /** Marks all members as read: they were left out on purpose, or reported. */
  close(): void {
    this.#members = NONE;
    this.#read = this.#children = this.#strays = undefined;
  }

  /** What was not read, with the path to it: 'login › uris › colour'. */
  rest(path = ''): readonly (readonly [path: string, value: unknown])[] {
    const found: (readonly [string, unknown])[] = [];
    for (const name of this.names) {
      const isRead = this.#read?.has(name) === true;
      const [children, strays] = [this.#children?.get(name), this.#strays?.get(name)];
      if (isRead && children === undefined && strays === undefined) continue;
      const at = path === '' ? name : `${path} › ${name}`;
      if (!isRead && !isEmpty(this.peek(name))) found.push([at, this.peek(name)]);
      for (const child of children ?? []) found.push(...child.rest(at));
      for (const stray of strays ?? []) found.push([at, stray]);
    }
    return found;
  }
}

/** Remembers nothing, since it has no members. */
const ABSENT = new JsonObject(NONE);

/** Notes of what no rule has read of an item; each is said. Closes the item. @param place 'Group / Title' */
export function unreadFields(item: JsonObject, tree: TreeBuilder, place: string): TreeField[] {
  const fields = item.rest().flatMap(([path, value]) => {
    tree.leaveOut('member', value === false ? UNPLACED : UNKNOWN, `${place}: ${path}`);
    return value === false ? [] : [noteField(path, writtenValue(value))];
  });
  item.close();
  return fields;
}

/** Says what no rule has read of the file outside of its items. */
export function sayUnread(object: JsonObject, tree: TreeBuilder): void {
  for (const [path] of object.rest()) tree.leaveOut('member', UNPLACED, path);
}

const UNKNOWN = 'unknown in this kind of file, kept as a note';
const UNPLACED = 'unknown in this kind of file, left out';

/** A text as it is, anything else as JSON. */
export const writtenValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1);

/** @throws ExchangeError for a file that is too large, or no JSON object */
export async function readJsonFile(file: Blob, tree: TreeBuilder): Promise<JsonObject> {
  if (file.size > LIMITS.bytes) throw ExchangeError.largerThan(LIMITS.bytes);
  return parseJson(new Uint8Array(await file.arrayBuffer()), tree);
}

/** @throws ExchangeError unless it is one JSON object in UTF-8 or UTF-16, nested and filled within the limits */
export function parseJson(bytes: Bytes, tree: TreeBuilder): JsonObject {
  const text = decode(bytes);
  const { isCut, longNumbers } = measure(text);
  for (let count = 0; count < longNumbers; count += 1)
    tree.leaveOut('number', 'of more digits than can be kept exactly');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw ExchangeError.unreadable(isCut ? 'it is cut off' : 'it is damaged');
  }
  if (!isMembers(value)) throw ExchangeError.unreadable('it is damaged');
  return new JsonObject(value);
}

function decode(bytes: Bytes): string {
  const encoding = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw ExchangeError.unreadable('its text is damaged');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JavaScript keeps fifteen digits of any number. */
const EXACT_DIGITS = 15;

const tooMany = () => ExchangeError.unreadable('it has too many fields');

/** One pass before anything is built. @throws ExchangeError above the limits */
function measure(text: string): { isCut: boolean; longNumbers: number } {
  const isNewName = nameCounter(text);
  let depth = 0;
  let values = 0;
  let objects = 0;
  let names = 0;
  let digits = 0;
  let longNumbers = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      if ((digits += 1) === EXACT_DIGITS + 1) longNumbers += 1;
      continue;
    }
    digits = 0;
    if (code === QUOTE) {
      const start = at;
      at = endOfString(text, at);
      if (at >= text.length) return { isCut: true, longNumbers };
      if (isName(text, at) && isNewName(start, at) && (names += 1) > LIMITS.jsonNames / 4) throw tooMany();
    } else if (code === 0x7b || code === 0x5b) {
      if ((depth += 1) > LIMITS.depth) throw ExchangeError.unreadable('it is nested too deeply');
      if ((objects += 1) > LIMITS.jsonObjects) throw tooMany();
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    } else if (code === 0x2c && (values += 1) > LIMITS.jsonValues) {
      throw tooMany();
    }
  }
  return { isCut: depth > 0, longNumbers };
}

const COLON = 0x3a;

function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === COLON;
}

const NAME_BITS = 22;

/**
 * Counts a quarter of the names by a hash, with a random seed: millions of different names take the engine half a minute.
 * @returns false for names that it knows or passes over
 */
function nameCounter(text: string): (start: number, end: number) => boolean {
  const seen = new Uint8Array(2 ** NAME_BITS);
  const [seed = 1] = crypto.getRandomValues(new Uint32Array(1));
  let draw = seed | 1;
  return (start, end) => {
    draw = (Math.imul(draw, 0x19660d) + 0x3c6ef35f) | 0;
    if (draw >>> 30 !== 0) return false;
    let hash = seed;
    for (let at = start + 1; at < end; at += 1)
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) ^ (hash >>> 15);
    const slot = hash >>> (32 - NAME_BITS);
    if (seen[slot] === 1) return false;
    seen[slot] = 1;
    return true;
  };
}

/** Index of the closing quote, or at least the length of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}

/**
 * Names of the members of the outermost object, as far as its beginning shows them, with the beginning of their values.
 * Empty for anything that is no object.
 */
export function topMembers(head: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!/^\uFEFF?\s*\{/.test(head)) return found;
  const name = /\s*:\s*/y;
  let depth = 0;
  for (let at = 0; at < head.length; at += 1) {
    const character = head.charAt(at);
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    if (character !== '"') continue;
    const end = endOfString(head, at);
    name.lastIndex = end + 1;
    if (depth === 1 && name.test(head))
      found.set(head.slice(at + 1, end), head.slice(name.lastIndex, name.lastIndex + 16));
    at = end;
  }
  return found;
}
