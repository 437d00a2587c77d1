/** The audit log as a file that leaves the server, row by row, never all of it in memory. */
import { Readable } from 'node:stream';
import type { exported } from '@passwordbroker/core/contract/audit';
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

/** Puts the export on record (*A* `audit_exported`), then answers the rows up to that record. */
export async function exportLog(deps: Deps, { actor, origin, query }: Export): Promise<Readable> {
  // What was searched for may be anything; that something was is enough.
  const told = Object.entries(query).flatMap(([name, value]): [string, string | boolean][] =>
    value === undefined ? [] : [[name, name === 'q' ? true : value]],
  );
  const details = Object.fromEntries(told);
  await deps.db.transactBeside((tx) => recordEvent(tx, deps, { event_type: 'audit_exported', actor, origin, details }));
  return Readable.from(lines(deps, query, await newestTime(deps.db)), { objectMode: false });
}

/** Portions of text: a batch of rows each. */
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
    // Whoever waits for the event loop gets his turn between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
