/** File bodies on PostgreSQL: instances share only the database. */
import type { Migration } from '../migrate.ts';

export const bodies: Migration = {
  name: '0007-bodies',
  both: [],
  postgres: [
    `create table bodies (
      sha256 text primary key,
      size bigint not null,
      touched_at bigint not null
    )`,
    'create index bodies_by_touch on bodies (touched_at)',
    `create table body_parts (
      sha256 text not null references bodies (sha256) on delete cascade,
      part bigint not null,
      bytes bytea not null,
      primary key (sha256, part)
    )`,
    // Sealed bytes cannot be compressed.
    'alter table body_parts alter column bytes set storage external',
  ],
};
