/** Field contents of one version of an entry (docs/spec/decisions.md H7). */
import { tagKey } from '../entry-marks.ts';
import { LIMITS } from '../limits.ts';
import { KeepassError } from './limits-and-errors.ts';
import { readOneTimePasswords } from './one-time-passwords.ts';
import { readPasskey } from './passkey-strings.ts';
import { type RawEntry, expiryDay, expiryOf, tagsOf } from './raw.ts';
import { type Resolve, hasReference } from './references.ts';
import { isShortened, shorten } from '../exchange/shown-text.ts';
import type { PlainContent } from '../exchange/tree.ts';

const TITLES = {
  password: 'Password',
  link: 'URL',
  notes: 'Notes',
  override: 'Override URL',
  totp: 'One-time password',
} as const;
const STANDARD = new Set(['Title', 'UserName', 'Password', 'URL', 'Notes']);

export type Contents = ReadonlyMap<string, TextContent>;
export type TextContent = Exclude<PlainContent, { readonly type: 'file' }>;

/** For things that are imported as something else. */
export type Remark = (kind: string, reason: string) => void;

/** Tags by key, and the due date. */
export interface Held {
  readonly tags: ReadonlySet<string>;
  readonly expires: number | null;
}

/**
 * Without attachments. @param held what the entry gets; other tags and dates go into its note
 * @throws KeepassError for a text that is too long for a field
 */
export function contentsOf(entry: RawEntry, held: Held, remark: Remark, resolve: Resolve): Contents {
  const strings = new Map(entry.strings.map(({ key, value }) => [key, resolve(value)]));
  const text = (key: string) => strings.get(key) ?? '';
  const contents = new Map<string, TextContent>();
  const note = (key: string, title: string, value: string) => contents.set(key, { type: 'note', title, value });

  const [login, password] = [text('UserName'), text('Password')];
  if (login !== '' || password !== '') {
    const shown = shorten(login, LIMITS.login);
    contents.set('password', { type: 'password', title: TITLES.password, login: shown, value: password });
    if (shown !== login) note('login', 'User name', login);
  }
  // Most entries have no others; all below is skipped for them.
  const hasOthers = entry.strings.some(({ key }) => !STANDARD.has(key));
  const links = linksOf(strings, hasOthers);
  for (const [at, [key, value]] of links.entries())
    contents.set(`link:${key}`, { type: 'link', title: at === 0 ? TITLES.link : `${TITLES.link} ${at + 1}`, value });
  if (entry.overrideUrl.trim() !== '') note('override', TITLES.override, entry.overrideUrl);

  if (hasOthers) addOthers(entry, strings, links, contents, remark);

  const additions = [tagsLine(entry, held), expiryLine(entry, held)].filter((line) => line !== '').join('\n');
  const notes = [text('Notes'), additions].filter((part) => part !== '').join('\n\n');
  if (isHoldable(notes)) {
    if (notes !== '') note('notes', TITLES.notes, notes);
  } else {
    note('notes', TITLES.notes, text('Notes'));
    note('tags', 'Tags and expiry', additions);
  }
  if (isShortened(text('Title'))) note('title', 'Whole title', text('Title'));

  for (const { value } of contents.values()) {
    if (!isHoldable(value)) throw KeepassError.unreadable('a text is too long');
    if (hasReference(value)) remark('reference', 'to another entry, kept as text');
  }
  return contents;
}

/** Further strings: one-time passwords, a passkey, and those of the person. */
function addOthers(
  entry: RawEntry,
  strings: ReadonlyMap<string, string>,
  links: readonly Link[],
  contents: Map<string, TextContent>,
  remark: Remark,
): void {
  const { found, unread } = readOneTimePasswords(strings);
  for (const [at, { totp }] of found.entries()) {
    const { secret, algorithm, period } = totp;
    contents.set(`totp:${at}`, { type: 'TOTP', title: TITLES.totp, value: secret, algorithm, period });
  }
  if (unread > 0) remark('one-time password', 'not a time-based code of six digits, so it is kept as text');

  const passkey = readPasskey(strings);
  if (passkey !== null) {
    contents.set('passkey', passkey.content);
    remark('passkey', 'kept as text; signing in with it is not possible here');
  }

  const ofLinks = links.map(([key]) => key);
  const used = new Set([...STANDARD, ...ofLinks, ...found.flatMap(({ keys }) => keys), ...(passkey?.keys ?? [])]);
  for (const [key, value, isProtected] of customStrings(entry, strings, used)) {
    const title = shorten(key, LIMITS.title);
    contents.set(
      `string:${key}`,
      isProtected ? { type: 'password', title, login: '', value } : { type: 'note', title, value },
    );
    if (title !== key) contents.set(`key:${key}`, { type: 'note', title: 'Whole name of a field', value: key });
  }
}

/** Further addresses of Keepass2Android, KeePassXC and others; apps of KeePassDX. */
export const LINK_KEY = /^(?:URL|KP2A_URL(?:_\d+)?|URL_\d+|AndroidApp\d*)$/;

type Link = readonly [key: string, value: string];

/** 'URL' first. */
function linksOf(strings: ReadonlyMap<string, string>, hasOthers: boolean): Link[] {
  const url = strings.get('URL') ?? '';
  if (!hasOthers) return url === '' ? [] : [['URL', url]];
  const others = [...strings].filter(([key]) => key !== 'URL' && LINK_KEY.test(key));
  const all = [['URL', url] as const, ...others].filter(([, value]) => value !== '');
  return all.map(([key, value]) => [
    key,
    key.startsWith('AndroidApp') && /^[\w.]+$/.test(value) ? `androidapp://${value}` : value,
  ]);
}

/** KeePass uses the last one of equal keys. */
function customStrings(
  entry: RawEntry,
  strings: ReadonlyMap<string, string>,
  used: ReadonlySet<string>,
): (readonly [string, string, boolean])[] {
  const last = new Map(entry.strings.map(({ key, isProtected }) => [key, isProtected]));
  return [...last]
    .map(([key, isProtected]) => [key, strings.get(key) ?? '', isProtected] as const)
    .filter(([key, value]) => !used.has(key) && value !== '');
}

const encoder = new TextEncoder();
const isHoldable = (text: string) =>
  text.length * 3 <= LIMITS.valueBytes || encoder.encode(text).length <= LIMITS.valueBytes;

function tagsLine({ tags }: RawEntry, held: Held): string {
  const list = tagsOf(tags).filter((tag) => !held.tags.has(tagKey(tag)));
  return list.length === 0 ? '' : `Tags: ${list.join(', ')}`;
}

/** 'Expires: 2027.01.31 00:00 UTC'. */
function expiryLine(entry: RawEntry, held: Held): string {
  const expiry = expiryOf(entry);
  if (expiry === null || (held.expires !== null && expiryDay(entry) === held.expires)) return '';
  const [date = '', time = ''] = new Date(expiry).toISOString().split('T');
  return `Expires: ${date.replaceAll('-', '.')} ${time.slice(0, 5)} UTC`;
}
