/** Which role a former member had, to add the person again after a reset of keys. */
import type { Migration } from '../migrate.ts';

export const departureRoles: Migration = {
  name: '0043-departure-roles',
  both: [`alter table departures add column role text check (role in ('admin', 'moderator', 'member'))`],
};
