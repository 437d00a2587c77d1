import { Readable } from 'node:stream';
import type { exported } from '@passwordbroker/core/contract/site/audit';
import type { QueryOf } from '@passwordbroker/core/contract/endpoint';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { recordEvent } from './audit-log.ts';
import { filterOf } from './audit-page.ts';
import { listAuditRowsAfter, newestTime } from './audit-page-repository.ts';
import { asCef, asJsonLine } from './export-format.ts';

const BATCH = 500;

interface Export {
  readonly actor: Actor;
  readonly origin: Origin;
  readonly query: QueryOf<typeof exported>;
}

/** Records the export, then streams the rows up to that record. */
export async function exportLog(deps: Deps, { actor, origin, query }: Export): Promise<Readable> {
  // Search text may contain anything, so only its presence is recorded.
  const told = Object.entries(query).flatMap(([name, value]): [string, string | boolean][] =>
    value === undefined ? [] : [[name, name === 'q' ? true : value]],
  );
  const details = Object.fromEntries(told);
  await deps.db.transactBeside((tx) => recordEvent(tx, deps, { event_type: 'audit_exported', actor, origin, details }));
  return Readable.from(lines(deps, query, await newestTime(deps.db)), { objectMode: false });
}

async function* lines({ db }: Deps, query: QueryOf<typeof exported>, until: number): AsyncGenerator<string> {
  const filter = await filterOf(db, query);
  const write = query.format === 'cef' ? (row: Parameters<typeof asCef>[0]) => `${asCef(row)}\n` : asJsonLine;
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
