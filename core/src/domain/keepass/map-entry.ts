/** From one version of a KeePass entry to the contents of fields (decision H7): what is empty is no field, what is unknown is kept as a note. */
import { LIMITS } from '../limits.ts';
import { readOneTimePassword } from './one-time-passwords.ts';
import type { RawEntry } from './raw.ts';
import { readKeepassTime } from './times.ts';
import type { PlainContent } from './tree.ts';

const TITLES = {
  password: 'Password',
  link: 'URL',
  notes: 'Notes',
  totp: 'One-time password',
  title: 'Title',
} as const;
const STANDARD = new Set(['Title', 'UserName', 'Password', 'URL', 'Notes']);
export const UNTITLED = '(no title)';

/** Contents by a key that stays the same over the versions of an entry. */
export type Contents = ReadonlyMap<string, PlainContent>;

/** The title as the vault can hold it; a longer one is kept whole in a note. */
export const shownTitle = (title: string) => cut(title.trim() === '' ? UNTITLED : title.trim(), LIMITS.title);
const cut = (text: string, length: number) =>
  [...text].length <= length && text.length <= length ? text : `${text.slice(0, length - 1)}…`;

/** Everything but attachments. */
export function contentsOf(entry: RawEntry): Contents {
  const strings = new Map(entry.strings.map(({ key, value }) => [key, value]));
  const text = (key: string) => strings.get(key) ?? '';
  const contents = new Map<string, PlainContent>();
  const [login, password] = [text('UserName'), text('Password')];
  if (login !== '' || password !== '') contents.set('password', passwordOf(TITLES.password, login, password, contents));
  if (text('URL') !== '') contents.set('url', { type: 'link', title: TITLES.link, value: text('URL') });
  const otp = readOneTimePassword(strings);
  if (otp !== null) {
    const { secret, algorithm, period } = otp.totp;
    contents.set('totp', { type: 'TOTP', title: TITLES.totp, value: secret, algorithm, period });
  }
  const used = new Set(otp?.keys ?? []);
  for (const { key, value, isProtected } of entry.strings) {
    if (STANDARD.has(key) || used.has(key) || value === '') continue;
    const title = cut(key, LIMITS.title);
    contents.set(
      `string:${key}`,
      isProtected ? { type: 'password', title, login: '', value } : { type: 'note', title, value },
    );
  }
  const notes = [text('Notes'), longTitle(text('Title')), tagsLine(entry), expiryLine(entry)]
    .filter((line) => line !== '')
    .join('\n');
  if (notes !== '') contents.set('notes', { type: 'note', title: TITLES.notes, value: notes });
  return contents;
}

/** A user name that is too long to be searched is kept whole in a note beside the password. */
function passwordOf(title: string, login: string, value: string, contents: Map<string, PlainContent>): PlainContent {
  if (login.length > LIMITS.login) contents.set('login', { type: 'note', title: 'UserName', value: login });
  return { type: 'password', title, login: cut(login, LIMITS.login), value };
}

const longTitle = (title: string) =>
  shownTitle(title).length < title.trim().length ? `${TITLES.title}: ${title}` : '';

function tagsLine({ tags }: RawEntry): string {
  const list = tags
    .split(/[;,]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return list.length === 0 ? '' : `Tags: ${list.join(', ')}`;
}

function expiryLine({ times }: RawEntry): string {
  const expiry = /^true$/i.test(times.expires) ? readKeepassTime(times.expiry) : null;
  return expiry === null ? '' : `Expires: ${new Date(expiry).toISOString().slice(0, 10)}`;
}
