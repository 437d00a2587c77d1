/** Which program a session and a row of the history belong to, as it said itself. */
import type { Migration } from '../migrate.ts';

export const clients: Migration = {
  name: '0046-clients',
  both: [
    'alter table sessions add column face text',
    'alter table sessions add column client_version text',
    'alter table field_history add column via text',
  ],
};
