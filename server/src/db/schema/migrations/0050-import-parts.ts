/** Imports that arrive in several requests, and the bodies that hold their parts until they are stored. */
import type { Migration } from '../migrate.ts';

export const importParts: Migration = {
  name: '0050-import-parts',
  both: [
    `create table imports (
      import_id text primary key,
      user_id text not null references users (user_id) on delete cascade,
      parts INT not null,
      bytes INT not null,
      operation_id text,
      storing_at INT,
      created_at INT not null,
      called_at INT not null
    )`,
    'create unique index imports_of on imports (user_id)',
    `create table import_parts (
      import_id text not null references imports (import_id) on delete cascade,
      part INT not null,
      name text not null,
      body_sha256 text not null,
      size INT not null,
      primary key (import_id, part, name)
    )`,
    'create index import_parts_body on import_parts (body_sha256)',
  ],
};
