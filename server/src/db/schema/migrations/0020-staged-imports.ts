/** Unfinished imports (ADR 16). */
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
