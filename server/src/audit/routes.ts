import * as audit from '@passwordbroker/core/contract/site/audit';
import { media } from '../http/answer/answer.ts';
import { on, type Route } from '../http/route.ts';
import {
  logSize,
  countAuditRows,
  listAuditRows,
  listLogins,
  type AuditFilter,
  listAuditRowsAfter,
  newestTime,
} from './audit-log-repository.ts';
import { verifyChain } from './chain/verify-chain.ts';
import { AUDIT_EVENTS } from '@passwordbroker/core/contract/site/audit-events';
import type { list, exported } from '@passwordbroker/core/contract/site/audit';
import type { QueryOf } from '@passwordbroker/core/contract/endpoint';
import type { AuditRow } from '@passwordbroker/core/contract/entities';
import type { Deps, Actor, Origin } from '../http/context.ts';
import { pageOf, spanOf } from '../operations/page.ts';
import { Readable } from 'node:stream';
import { recordEvent } from './audit-log.ts';
import { asCef, asCsvLine, asJsonLine, CSV_HEAD, type LinkedRow } from './export-format.ts';

export const routes: readonly Route[] = [
  on(audit.adminLog, ({ deps, query }) => auditPage(deps, query)),

  on(audit.list, ({ deps, query }) => auditPage(deps, query)),

  on(audit.exported, async ({ deps, actor, origin, query }) => {
    const name = `audit-log.${query.format}`;
    return media(await exportLog(deps, { actor, origin, query }), {
      'content-disposition': `attachment; filename="${name}"`,
    });
  }),

  on(audit.verify, async ({ deps }) => {
    const { findings, checkpoint, removedHeads: _, ...report } = await verifyChain(deps);
    return {
      ...report,
      first_bad: findings[0]?.auditId ?? null,
      checkpoint: checkpoint === null ? null : { ...checkpoint, at: new Date(checkpoint.at).toISOString() },
    };
  }),

  on(audit.size, ({ deps }) => logSize(deps)),
];

type Filters = Omit<QueryOf<typeof list>, 'page' | 'perPage'>;

async function auditPage({ db }: Pick<Deps, 'db'>, query: QueryOf<typeof list>) {
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

async function filterOf(
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

const BATCH = 500;

interface Export {
  readonly actor: Actor;
  readonly origin: Origin;
  readonly query: QueryOf<typeof exported>;
}

/** Records the export, then streams the rows up to that record. */
async function exportLog(deps: Deps, { actor, origin, query }: Export): Promise<Readable> {
  // Search text may contain anything, so only its presence is recorded.
  const told = Object.entries(query).flatMap(([name, value]): [string, string | boolean][] =>
    value === undefined ? [] : [[name, name === 'q' ? true : value]],
  );
  const details = Object.fromEntries(told);
  await deps.db.transactBeside((tx) => recordEvent(tx, deps, { event_type: 'audit_exported', actor, origin, details }));
  return Readable.from(lines(deps, query, await newestTime(deps.db)), { objectMode: false });
}

const FORMATS = { ndjson: asJsonLine, cef: (row: LinkedRow) => `${asCef(row)}\n`, csv: asCsvLine } as const;

async function* lines({ db }: Deps, query: QueryOf<typeof exported>, until: number): AsyncGenerator<string> {
  const filter = await filterOf(db, query);
  const write = FORMATS[query.format];
  if (query.format === 'csv') yield CSV_HEAD;
  const bounded = { ...filter, to: Math.min(filter.to ?? until + 1, until + 1) };
  let last: { created_at: number; audit_id: string } | null = null;
  for (;;) {
    const rows: Awaited<ReturnType<typeof listAuditRowsAfter>> = await listAuditRowsAfter(db, bounded, last, BATCH);
    if (rows.length > 0) yield rows.map(write).join('');
    if (rows.length < BATCH) return;
    last = rows.at(-1) ?? null;
    // Lets other requests run.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
