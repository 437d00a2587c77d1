/** Sealed file bodies, where the database is on a server: instances share nothing else. Beside an embedded database they are files of the data folder. */
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
    // What is sealed does not get smaller.
    'alter table body_parts alter column bytes set storage external',
  ],
};
