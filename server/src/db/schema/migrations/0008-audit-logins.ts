/** For searches by part of a login (docs/spec/api.md §3.11). */
import type { Migration } from '../migrate.ts';

export const auditLogins: Migration = {
  name: '0008-audit-logins',
  both: ['create index audit_log_of_login on audit_log (login, created_at, audit_id)'],
};
