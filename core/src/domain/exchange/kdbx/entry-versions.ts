/** How an entry is laid out in KDBX: its former versions, and the names of strings and attachments. */
import { passkeyStrings, readPasskey } from '../../keepass/passkey-strings.ts';
import { LINK_KEY } from '../../keepass/map-entry.ts';
import { xmlText } from '../../keepass/own-fields.ts';
import { EXCHANGE_LIMITS as LIMITS } from '../exchange-error.ts';
import type { PlainContent, TreeEntry, TreeField } from '../tree.ts';

/** An entry after one of the changes to its fields. */
export interface EntryVersion {
  /** Unix ms of the latest change; null if no time is known. */
  readonly at: number | null;
  /** For each field of the entry: the number of its revision; null before its first. */
  readonly revisions: readonly (number | null)[];
}

interface Moment {
  readonly at: number;
  /** Revisions of one field at one time follow each other. */
  readonly nth: number;
}

/**
 * One version for each time of a revision, oldest first, the present one last. Revisions without a time
 * count as made with the one before, or at first.
 * @returns `leftOut`: number of the oldest versions above the limit
 */
export function entryVersions({ fields }: TreeEntry): { versions: EntryVersion[]; leftOut: number } {
  const times = fields.flatMap(({ revisions }) => revisions.flatMap(({ at }) => at ?? []));
  const first = times.reduce((a, b) => Math.min(a, b), Infinity);
  const moments = fields.map((field) => momentsOf(field, first));
  const sorted = moments.flat().sort(compare);
  const distinct = sorted.filter((moment, at) => at === 0 || compare(moment, sorted[at - 1] ?? moment) !== 0);
  const leftOut = Math.max(0, distinct.length - 1 - LIMITS.versions);
  const versions = distinct.slice(leftOut).map((moment) => ({
    at: Number.isFinite(moment.at) ? moment.at : null,
    revisions: moments.map((own) => {
      const past = own.findLastIndex((one) => compare(one, moment) <= 0);
      return past === -1 ? null : past;
    }),
  }));
  return { versions, leftOut };
}

/** @param first counts for those without a time */
function momentsOf({ revisions }: TreeField, first: number): Moment[] {
  const moments: Moment[] = [];
  for (const { at } of revisions) {
    const before = moments.at(-1);
    const time = Math.max(at ?? first, before?.at ?? first);
    moments.push({ at: time, nth: before?.at === time ? before.nth + 1 : 0 });
  }
  return moments;
}

const compare = (a: Moment, b: Moment) => (a.at === b.at ? a.nth - b.nth : a.at < b.at ? -1 : 1);

/** Where a field of the entry goes. */
export interface FieldPlace {
  /** Name of the string or of the attachment. */
  readonly value: string;
  /** Name of the string with the user name; null without one. */
  readonly login: string | null;
  /** True if the strings of KeePassXC say all of a passkey. */
  readonly isPasskeyWhole: boolean;
  /** True for the passkey that KeePassXC shows. */
  readonly isPasskey: boolean;
}

const STANDARD = ['Title', 'UserName', 'Password', 'URL', 'Notes', 'otp'] as const;
/** Names that programs give a meaning. */
const SPECIAL = /^(?:KPEX_|TimeOtp-|HmacOtp-|TOTP (?:Seed|Settings)$|_etm_)/;

const present = ({ revisions }: TreeField): PlainContent | undefined => revisions.at(-1)?.content;
export const isPasskey = (content: PlainContent | undefined): boolean =>
  content?.type === 'password' && content.title.startsWith('Passkey for ') && passkeyStrings(content.value) !== null;

const isWhole = (content: PlainContent) =>
  content.type === 'password' &&
  content.login === '' &&
  readPasskey(passkeyStrings(content.value) ?? new Map())?.content.value === content.value;

/** One place for each field, the same in each version. */
export function fieldPlaces({ fields }: TreeEntry): FieldPlace[] {
  const strings = new Set<string>(STANDARD);
  const binaries = new Set<string>();
  const taken = { password: false, link: false, TOTP: false, Notes: false, passkey: false };
  let links = 0;
  const place = (value: string, login: string | null = null): FieldPlace => ({
    value,
    login,
    isPasskey: false,
    isPasskeyWhole: false,
  });
  const first = (kind: keyof typeof taken) => !taken[kind] && (taken[kind] = true);

  return fields.map((field) => {
    const content = present(field);
    if (content === undefined) return place('');
    if (content.type === 'file') return place(unused(xmlText(content.name), binaries));
    const named = (): FieldPlace => {
      const value = unused(xmlText(content.title), strings);
      const hasLogin = field.revisions.some((one) => one.content.type === 'password' && one.content.login !== '');
      return place(value, hasLogin ? unused(`${value}: user name`, strings) : null);
    };
    if (isPasskey(content) && first('passkey')) {
      const isPasskeyWhole = field.revisions.every((revision) => isWhole(revision.content));
      return { ...(isPasskeyWhole ? place('KPEX_PASSKEY_CREDENTIAL_ID') : named()), isPasskey: true, isPasskeyWhole };
    }
    if (content.type === 'password' && first('password')) return place('Password', 'UserName');
    if (content.type === 'link') return place(first('link') ? 'URL' : `KP2A_URL_${(links += 1)}`);
    if (content.type === 'TOTP' && first('TOTP')) return place('otp');
    return content.type === 'note' && content.title === 'Notes' && first('Notes') ? place('Notes') : named();
  });
}

/** 'Title', 'Title (2)', … */
function unused(title: string, used: Set<string>): string {
  const isFree = (name: string) => !used.has(name) && !SPECIAL.test(name) && !LINK_KEY.test(name);
  let name = title;
  for (let number = 2; !isFree(name); number += 1) name = `${title} (${number})`;
  used.add(name);
  return name;
}
