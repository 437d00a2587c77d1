import { AUDIT_EVENTS } from '@passwordbroker/core/contract/site/audit-events';
import type { list } from '@passwordbroker/core/contract/site/audit';
import type { QueryOf } from '@passwordbroker/core/contract/endpoint';
import type { AuditRow } from '@passwordbroker/core/contract/entities';
import type { Deps } from '../http/context.ts';
import { pageOf, spanOf } from '../operations/page.ts';
import { countAuditRows, listAuditRows, listLogins } from './audit-page-repository.ts';
import type { AuditFilter } from './audit-page-repository.ts';

type Filters = Omit<QueryOf<typeof list>, 'page' | 'perPage'>;

export async function auditPage({ db }: Pick<Deps, 'db'>, query: QueryOf<typeof list>) {
  const filter = await filterOf(db, query);
  const total = await countAuditRows(db, filter);
  const span = spanOf(query);
  const rows = span.offset >= total ? [] : await listAuditRows(db, filter, span, total);
  const data: AuditRow[] = rows.map((row) => ({
    ...row,
    created_at: new Date(row.created_at).toISOString(),
    details: row.details === null ? null : (JSON.parse(row.details) as AuditRow['details']),
  }));
  return pageOf(data, total, query);
}

/** With more logins, a scan is faster. */
const FEW_LOGINS = 20;

export async function filterOf(
  db: Pick<Deps['db'], 'read'>,
  { q = '', event_type, user_id, target_id, from, to }: Filters,
): Promise<AuditFilter> {
  return {
    ...(event_type === undefined ? {} : { event_type }),
    ...(user_id === undefined ? {} : { user_id }),
    ...(target_id === undefined ? {} : { target_id }),
    ...(from === undefined ? {} : { from: Date.parse(from) }),
    ...(to === undefined ? {} : { to: Date.parse(to) }),
    ...(q === '' ? {} : await wordsOf(db, q.toLowerCase())),
  };
}

async function wordsOf(db: Pick<Deps['db'], 'read'>, login: string): Promise<Pick<AuditFilter, 'words' | 'logins'>> {
  const events = AUDIT_EVENTS.filter((name) => name.includes(login));
  const logins = events.length === 0 ? await listLogins(db, login, FEW_LOGINS + 1) : [];
  return events.length === 0 && logins.length <= FEW_LOGINS ? { logins } : { words: { login, events } };
}
