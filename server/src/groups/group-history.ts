/** Converts history rows to the type of the contract (docs/spec/api.md §2). */
import type { GroupHistory } from '@passwordbroker/core/contract/entities';
import { asFieldHistory } from '../fields/field-answers.ts';
import type { listGroupHistory } from './history-repository.ts';

type Row = Awaited<ReturnType<typeof listGroupHistory>>[number];

/** A row of a field's history, with the current titles of field and entry. */
export function asGroupHistory(row: Row): GroupHistory {
  return {
    ...asFieldHistory(row),
    field: {
      field_id: row.field_id,
      entry_id: row.entry_id,
      title: row.field_title,
      type: row.type,
      entry: { entry_id: row.entry_id, title: row.entry_title },
    },
  };
}
