import type { Transact, Database } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { size } from '@passwordbroker/core/contract/site/audit';
import { sql } from 'kysely';
import type { Deps } from '../http/context.ts';

type Counted = Tables['refusal_counts'];

/** Returns true if the counter did not exist before. */
export async function addRefusals(tx: Transact, refusals: Counted): Promise<boolean> {
  const { repeats } = await tx
    .insertInto('refusal_counts')
    .values(refusals)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'route', 'method', 'code']).doUpdateSet((row) => ({
        repeats: row('refusal_counts.repeats', '+', row('excluded.repeats', '+', 1)),
        last_at: row.ref('excluded.last_at'),
        address: row.ref('excluded.address'),
        agent_hash: row.ref('excluded.agent_hash'),
      })),
    )
    .returning('repeats')
    .executeTakeFirstOrThrow();
  return Number(repeats) === refusals.repeats;
}

/** Ordered by first refusal. */
export async function takeCountedRefusals(tx: Transact): Promise<Counted[]> {
  const rows = await tx.deleteFrom('refusal_counts').returningAll().execute();
  return rows.toSorted((a, b) => a.first_at - b.first_at);
}

const SAMPLE = 1000;

export async function logSize({ db }: Pick<Deps, 'db'>): Promise<AnswerOf<typeof size>> {
  const { rows: found } = await sql<{ sealed: number; unsealed: number; oldest: number | null }>`select
      (select coalesce(max(seq) - min(seq) + 1, 0) from audit_chain) as sealed,
      (select count(*) from audit_unsealed) as unsealed,
      (select min(created_at) from audit_log) as oldest`.execute(db.read);
  const { sealed = 0, unsealed = 0, oldest = null } = found[0] ?? {};
  const rows = Number(sealed) + Number(unsealed);
  const bytes = db.dialect === 'postgres' ? await bytesOnPostgres(db) : rows * (await bytesOfOne(db));
  return { rows, bytes: Math.round(bytes), oldest_at: oldest === null ? null : new Date(Number(oldest)).toISOString() };
}

async function bytesOnPostgres({ read }: Pick<Deps['db'], 'read'>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select
      pg_total_relation_size('audit_log') + pg_total_relation_size('audit_chain') as bytes`.execute(read);
  return Number(rows[0]?.bytes ?? 0);
}

/** Estimate: twice the text plus 500 bytes, as measured with `dbstat`, which would read the whole table. */
async function bytesOfOne({ read }: Pick<Deps['db'], 'read'>): Promise<number> {
  const { rows } = await sql<{ length: number | null }>`select
      avg(length(concat(audit_id, created_at, event_type, user_id, login, target_type, target_id, address, agent_hash, details))) as length
      from (select * from audit_log order by audit_id desc limit ${sql.lit(SAMPLE)})`.execute(read);
  return 2 * (rows[0]?.length ?? 0) + 500;
}

type Reader = Pick<Database, 'read'>;

export interface AuditFilter {
  readonly event_type?: string;
  readonly user_id?: string;
  readonly target_id?: string;
  /** Unix time in ms; `from` inclusive, `to` exclusive. */
  readonly from?: number;
  readonly to?: number;
  /** One of these events, or a login that contains `login`, in lower case. */
  readonly words?: { readonly events: readonly string[]; readonly login: string };
  readonly logins?: readonly string[];
}

interface Span {
  readonly offset: number;
  readonly limit: number;
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

function matching({ read }: Reader, { event_type, user_id, target_id, from, to, words, logins }: AuditFilter) {
  let rows = read.selectFrom('audit_log');
  if (event_type !== undefined) rows = rows.where('event_type', '=', event_type);
  if (user_id !== undefined) rows = rows.where('user_id', '=', user_id);
  if (target_id !== undefined) rows = rows.where('target_id', '=', target_id);
  if (from !== undefined) rows = rows.where('created_at', '>=', from);
  if (to !== undefined) rows = rows.where('created_at', '<', to);
  if (logins?.length === 0) rows = rows.where(sql<boolean>`1 = 0`);
  else if (logins !== undefined) rows = rows.where('login', 'in', logins);
  if (words === undefined) return rows;
  const { events, login } = words;
  const pattern = `%${escaped(login)}%`;
  const inLogin = sql<boolean>`lower(login) like ${pattern} escape '\\'`;
  return rows.where((row) => row.or([inLogin, ...(events.length === 0 ? [] : [row('event_type', 'in', events)])]));
}

/** Reads each distinct login once from the index. `text` is lower case. */
export async function listLogins({ read }: Reader, text: string, most: number): Promise<string[]> {
  const found = await sql<{ known: string }>`
    with recursive logins (known) as (
      select min(login) from audit_log
      union all
      select (select min(login) from audit_log where login > known) from logins where known is not null
    )
    select known from logins where lower(known) like ${`%${escaped(text)}%`} escape '\\' limit ${most}`.execute(read);
  return found.rows.map(({ known }) => known);
}

export async function countAuditRows(db: Reader, filter: AuditFilter): Promise<number> {
  const counted = await matching(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(counted.n);
}

/** Newest first. */
export async function listAuditRows(db: Reader, filter: AuditFilter, { offset, limit }: Span, total: number) {
  // The second half is read from the other end, which skips fewer rows.
  const rest = total - offset - limit;
  const fromEnd = rest < offset;
  const direction = fromEnd ? 'asc' : 'desc';
  const ids = await matching(db, filter)
    .select('audit_id')
    .orderBy('created_at', direction)
    .orderBy('audit_id', direction)
    .offset(fromEnd ? Math.max(0, rest) : offset)
    .limit(fromEnd ? limit + Math.min(0, rest) : limit)
    .execute();
  if (ids.length === 0) return [];
  return db.read
    .selectFrom('audit_log')
    .select([
      'audit_id',
      'created_at',
      'event_type',
      'login',
      'user_id',
      'target_type',
      'target_id',
      'address',
      'details',
    ])
    .where(
      'audit_id',
      'in',
      ids.map(({ audit_id }) => audit_id),
    )
    .orderBy('created_at', 'desc')
    .orderBy('audit_id', 'desc')
    .execute();
}

/** Unix time in ms; in the future if the clock was set back. */
export async function newestTime({ read }: Pick<Database, 'read'>): Promise<number> {
  const { at } = await read
    .selectFrom('audit_log')
    .select((row) => row.fn.max<number | null>('created_at').as('at'))
    .executeTakeFirstOrThrow();
  return Number(at ?? 0);
}

interface AuditPosition {
  readonly created_at: number;
  readonly audit_id: string;
}

/** Oldest first, with chain links if sealed. */
export async function listAuditRowsAfter(db: Reader, filter: AuditFilter, after: AuditPosition | null, limit: number) {
  let rows = matching(db, filter);
  if (after !== null) {
    const { created_at, audit_id } = after;
    rows = rows
      .where('created_at', '>=', created_at)
      .where((row) => row.or([row('created_at', '>', created_at), row('audit_log.audit_id', '>', audit_id)]));
  }
  return rows
    .leftJoin('audit_chain', 'audit_chain.audit_id', 'audit_log.audit_id')
    .selectAll('audit_log')
    .select(['audit_chain.seq', 'audit_chain.hash'])
    .orderBy('created_at')
    .orderBy('audit_log.audit_id')
    .limit(limit)
    .execute();
}
