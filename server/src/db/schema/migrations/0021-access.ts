/** Auditors; revokes invitations whose maker lost the right. */
import type { Migration } from '../migrate.ts';

export const access: Migration = {
  name: '0021-access',
  both: [
    'alter table users add column is_auditor INT not null default 0 check (is_auditor in (0, 1))',
    `update invites set revoked_at = created_at
      where accepted_at is null and revoked_at is null and invited_by is not null
        and invited_by not in (select user_id from users where is_admin = 1 and disabled_at is null)`,
  ],
};
