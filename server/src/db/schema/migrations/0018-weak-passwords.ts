/**
 * Whether the account password was too weak at sign-in. Stored with the session, so it is in no
 * archive.
 */
import type { Migration } from '../migrate.ts';

export const weakPasswords: Migration = {
  name: '0018-weak-passwords',
  both: ['alter table sessions add column weak_password INT not null default 0'],
};
