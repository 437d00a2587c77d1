/**
 * Imports that are being written: their groups lie in the trash of the import itself (`trashed_by`), and nobody is a member of them, until the last transaction
 * (docs/adr/0016-imports-in-portions.md).
 */
import type { Migration } from '../migrate.ts';

export const stagedImports: Migration = {
  name: '0020-staged-imports',
  both: [
    `create table staged_imports (
      operation_id text primary key references operations (operation_id) on delete cascade,
      written_rows INT not null,
      is_dropped INT not null check (is_dropped in (0, 1))
    )`,
  ],
};
