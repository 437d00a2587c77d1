/** Whether a site admin disabled a service account: its owner cannot enable it then. */
import type { Migration } from '../migrate.ts';

export const stoppedServices: Migration = {
  name: '0049-stopped-services',
  both: ['alter table service_accounts add column is_stopped INT not null default 0'],
};
