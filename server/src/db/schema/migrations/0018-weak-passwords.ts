/** In the session, so that no archive names weak passwords. */
import type { Migration } from '../migrate.ts';

export const weakPasswords: Migration = {
  name: '0018-weak-passwords',
  both: ['alter table sessions add column weak_password INT not null default 0'],
};
