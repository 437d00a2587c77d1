/** Fields of cards, identities, accounts and keys, whatever the program: secret values are passwords, others notes. */
import type { JsonObject } from './json-object.ts';
import type { TreeField } from '../tree.ts';
import { noteField, passwordField, shownTime } from '../tree-builder.ts';

/** None for a value without text. */
export function namedField(title: string, value: string, isSecret = false): TreeField[] {
  if (value.trim() === '') return [];
  return [isSecret ? passwordField(title, '', value) : noteField(title, value)];
}

/** Name of the member, title of the field, and whether its value is secret. */
export type NamedMember = readonly [member: string, title: string, isSecret?: 'secret'];

/** In the order of the table; members without text are left out. */
export const namedFields = (object: JsonObject, table: readonly NamedMember[]): TreeField[] =>
  table.flatMap(([member, title, isSecret]) => namedField(title, object.text(member), isSecret === 'secret'));

/** Members that hold text, under titles made of their names: 'licenseNumber' is 'License number', and secret. */
export const allNamedFields = (object: JsonObject): TreeField[] =>
  object.names.flatMap((name) =>
    namedField(titleOfName(name), object.text(name), /number|pin|code|secret/i.test(name)),
  );

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
