/** Bounds the rows that a stale-copy check reads (ADR 8). */
import type { Migration } from '../migrate.ts';

export const staleChecks: Migration = {
  name: '0010-stale-checks',
  both: [
    'create index changed_access_of_user on changed_access (user_id, stamp)',
    'create table change_floor (id INT primary key check (id = 1), stamp INT not null, noted_at INT not null)',
  ],
};
