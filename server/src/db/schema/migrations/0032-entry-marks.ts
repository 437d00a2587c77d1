/** Tags and icons of entries. `entry_tags` is the index of `entries.tags`. */
import type { Migration } from '../migrate.ts';

export const entryMarks: Migration = {
  name: '0032-entry-marks',
  both: [
    'alter table entries add column tags text',
    'alter table entries add column icon text',
    `create table entry_tags (
      entry_id text not null references entries (entry_id) on delete cascade,
      tag_key text not null,
      tag text not null,
      primary key (entry_id, tag_key)
    )`,
    'create index entry_tags_by_key on entry_tags (tag_key, entry_id)',
  ],
};
