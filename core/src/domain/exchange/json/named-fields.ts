/** Fields of cards, identities, accounts and keys, whatever the program: secret values are passwords, others notes. */
import type { JsonObject } from './json-object.ts';
import { readOtpText } from '../one-time-password.ts';
import type { PlainContent, TreeField } from '../tree.ts';
import { linkFields, noteField, passwordField, shownTime } from '../tree-builder.ts';

/** None for a value without text. */
export function namedField(title: string, value: string, isSecret = false): TreeField[] {
  if (value === '') return [];
  return [isSecret ? passwordField(title, '', value) : noteField(title, value)];
}

/** None for a blank address. */
export const namedLink = (title: string, url: string): TreeField[] =>
  linkFields([url]).map(({ type, revisions }) => ({
    type,
    revisions: revisions.map(({ content, at }) => ({ content: { ...content, title }, at })),
  }));

/** Name of the member, title of the field, and whether its value is secret. */
export type NamedMember = readonly [member: string, title: string, isSecret?: 'secret'];

/** In the order of the table; members without text are left out. */
export const namedFields = (object: JsonObject, table: readonly NamedMember[]): TreeField[] =>
  table.flatMap(([member, title, isSecret]) => namedField(title, object.text(member), isSecret === 'secret'));

/** Members that hold text, under titles made of their names: 'licenseNumber' is 'License number', and secret. */
export const allNamedFields = (object: JsonObject): TreeField[] =>
  object.names.flatMap((name) => namedField(titleOfName(name), object.text(name), SECRET_NAME.test(name)));

const SECRET_NAME = /(?<!phone)number$|^pin$|secret|password/i;

/** 'expirationDate' → 'Expiration date', 'ssid' → 'Ssid' */
export function titleOfName(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An address in lines. */
export const addressField = (title: string, lines: readonly string[]): TreeField[] =>
  namedField(title, lines.filter((line) => line.trim() !== '').join('\n'));

/** '2030.06' of a year and a month; null unless they are ones. */
export function shownMonth(year: string, month: string): string | null {
  const isMonth = /^(?:0?[1-9]|1[0-2])$/.test(month.trim());
  return /^\d{4}$/.test(year.trim()) && isMonth ? `${year.trim()}.${month.trim().padStart(2, '0')}` : null;
}

/** '2030.06.30' in UTC; the number as it is if it is no time. @param ms Unix ms */
export const shownDay = (ms: number): string => shownTime(ms).split(' ')[0] ?? '';

export const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

/** A secret text of an export of ours that holds a code is one again; its name stays. */
export function secretField(title: string, value: string): TreeField[] {
  const read = /^otpauth:\/\/totp\//i.test(value) ? readOtpText(value) : null;
  if (read === null) return namedField(title, value, true);
  const { secret, algorithm, period } = read;
  const content = { type: 'TOTP', title, value: secret, algorithm, period } as const;
  return [{ type: 'TOTP', revisions: [{ content, at: null }] }];
}

/** The same as a text for other programs. */
export function otpAddress({ title, value, algorithm, period }: Extract<PlainContent, { type: 'TOTP' }>): string {
  const query = new URLSearchParams({
    secret: value,
    algorithm: algorithm.toUpperCase(),
    digits: '6',
    period: String(period),
  });
  return `otpauth://totp/${encodeURIComponent(title)}?${query.toString()}`;
}

export interface FormerPassword {
  readonly value: string;
  /** When it was replaced, Unix ms. */
  readonly until: number | null;
}

/**
 * The password of an entry with its former ones; 'Former password' if it has none any more. None without any text.
 * @param past oldest first. @param changed when the present one was set, Unix ms
 */
export function passwordWithPast(
  login: string,
  value: string,
  past: readonly FormerPassword[],
  changed: number | null = null,
): TreeField[] {
  const isFormer = login === '' && value === '';
  const former = past.filter((one) => one.value !== '');
  const all = isFormer ? former : [...former, { value, until: null }];
  const title = isFormer ? 'Former password' : 'Password';
  // A password is as old as the end of the one before it.
  const revisions = all.map((one, index) => {
    const before = all[index - 1]?.until ?? null;
    const at = !isFormer && index === all.length - 1 ? (changed ?? before) : before;
    return { content: { type: 'password', title, login, value: one.value } as const, at };
  });
  return revisions.length === 0 ? [] : [{ type: 'password', revisions }];
}
