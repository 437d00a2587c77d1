/**
 * Bytes that a revision adds to its author's quota: values above 1 KiB, and a file that the revision before
 * did not have.
 */
import type { Migration } from '../migrate.ts';

const COUNTED_FROM = 1024;

/** @param rows a table or subset of `field_revisions` named `r` */
const sizesOf = (rows: string) => `insert into stored_sizes (field_id, rev, user_id, bytes)
  select field_id, rev, created_by, bytes from (
    select r.field_id, r.rev, r.created_by,
      case when length(r.value) > ${COUNTED_FROM} then length(r.value) else 0 end +
      case when r.body_sha256 is null or exists (
        select 1 from field_revisions before
        where before.field_id = r.field_id and before.rev = r.rev - 1 and before.body_sha256 = r.body_sha256
      ) then 0 else r.body_size end as bytes
    from ${rows}
  ) as sizes where bytes > 0`;

const isCounted = `new.body_sha256 is not null or length(new.value) > ${COUNTED_FROM}`;
const added = sizesOf('field_revisions r where r.field_id = new.field_id and r.rev = new.rev');

export const storedSizes: Migration = {
  name: '0019-stored-sizes',
  both: [
    `create table stored_sizes (
      field_id text not null,
      rev INT not null,
      user_id text,
      bytes INT not null,
      primary key (field_id, rev),
      foreign key (field_id, rev) references field_revisions (field_id, rev) on delete cascade
    )`,
    'create index stored_sizes_of_user on stored_sizes (user_id, bytes)',
    sizesOf('field_revisions r'),
  ],
  sqlite: [`create trigger stored_size_added after insert on field_revisions when ${isCounted} begin ${added}; end`],
  postgres: [
    `create function add_stored_size() returns trigger language plpgsql as $$ begin ${added}; return null; end $$`,
    `create trigger stored_size_added after insert on field_revisions for each row
      when (${isCounted}) execute function add_stored_size()`,
  ],
};
