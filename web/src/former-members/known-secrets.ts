import { formatTime } from '../lib/format.ts';
import { FIELD_TEXTS } from '../texts/entries/fields.ts';
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/members.ts';
import type { Departure, KnownSecret } from '@passwordbroker/client/vault/groups/people';

/** A secret in the trash need not be changed; when restored, it counts again. */
export const isOpen = ({ changed, trashed }: KnownSecret) => !changed && !trashed;

export const stateOf = ({ changed, trashed }: KnownSecret) =>
  changed ? TEXTS.changed : trashed ? TEXTS.trashed : TEXTS.change;

/** CSV (RFC 4180) with titles, without values. */
export function csvOfKnownSecrets({ entry_group, user }: Departure, rows: readonly KnownSecret[]): string {
  return csvOf([
    TEXTS.csv,
    ...rows.map((row) => [
      user.name,
      entry_group.name,
      row.entry.title,
      row.field.title,
      FIELD_TEXTS.kinds[row.field.type],
      formatTime(row.opened_at),
      TEXTS.how[row.how],
      stateOf(row),
    ]),
  ]);
}

/**
 * A spreadsheet would run such a cell as a formula, so it gets an apostrophe. Some programs strip tabs first.
 */
const FORMULA = /^[=+\-@\t\r]/;

/** Lines end in CR LF, after a byte order mark for spreadsheets. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`;
}

function cell(text: string): string {
  const safe = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
