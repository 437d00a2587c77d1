/** Due dates of entries: the beginning of a day in UTC. */
import type { Migration } from '../migrate.ts';

export const dueDates: Migration = {
  name: '0033-due-dates',
  both: [
    'alter table entries add column due_at INT',
    'alter table entries add column due_kind text',
    'alter table entries add column rotate_days INT',
    'create index entries_by_due on entries (due_at) where due_at is not null',
  ],
};
