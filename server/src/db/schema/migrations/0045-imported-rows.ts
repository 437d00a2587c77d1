/** What an import wrote into existing groups, for its undo. Ids only; removed when it can no longer be undone. */
import type { Migration } from '../migrate.ts';

export const importedRows: Migration = {
  name: '0045-imported-rows',
  both: [
    `create table imported_rows (
      operation_id text not null references operations (operation_id) on delete cascade,
      kind text not null check (kind in ('entry_group', 'entry', 'field', 'revision')),
      id text not null,
      rev INT,
      primary key (operation_id, kind, id)
    )`,
  ],
};
