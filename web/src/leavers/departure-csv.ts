/** What somebody who left had opened, as a table for spreadsheets. Titles only: never a value. */
import { formatTime } from '../lib/format.ts';
import { FIELD_TEXTS } from '../texts/fields.ts';
import { LEAVER_TEXTS as TEXTS } from '../texts/leavers.ts';
import type { Departure, KnownSecret } from '../vault/people.ts';
import { csvOf } from './csv.ts';
import { stateOf } from './known-state.ts';

export function csvOfDeparture({ entry_group, user }: Departure, rows: readonly KnownSecret[]): string {
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
