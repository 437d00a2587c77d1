/** Whether the account password of a sign-in was too weak for the policy of the site. It stands with the session and goes with it; no archive has it. */
import type { Migration } from '../migrate.ts';

export const weakPasswords: Migration = {
  name: '0018-weak-passwords',
  both: ['alter table sessions add column weak_password INT not null default 0'],
};
