/** All that is stored, to show that a refusal changes nothing. */
import type { Deps } from '../../http/context.ts';

export type Stored = ReadonlyMap<string, string>;

/**
 * What a refusal may write: counters of failures (threats §3.1.9), and that a proof has been used, whatever came of it (`api.md` §1.5). The index of
 * search is made of tables that are compared themselves.
 */
const LEFT_OUT = /^(attempts|proof_nonces|audit_unsealed|entry_search_.*)$/;

/** Every table as text; of the audit log all but the record of refusals, of sessions all but the time of their last use. */
export async function readStored({ db }: Pick<Deps, 'db'>): Promise<Stored> {
  const tables = await tablesOf(db);
  const stored = new Map<string, string>();
  for (const table of tables) {
    const rows = table === 'audit_log' ? await listActs(db) : await db.read.selectFrom(table).selectAll().execute();
    stored.set(table, rows.map(asText).join('\n'));
  }
  return stored;
}

const listActs = (db: Deps['db']) =>
  db.read.selectFrom('audit_log').selectAll().where('event_type', '!=', 'access_refused').execute();

/** Names of the tables that differ. */
export const changedTables = (before: Stored, after: Stored): string[] =>
  [...after.keys()].filter((table) => before.get(table) !== after.get(table));

type Table = Parameters<Deps['db']['read']['selectFrom']>[0] & string;
const known = new WeakMap<Deps['db'], Promise<Table[]>>();

function tablesOf(db: Deps['db']): Promise<Table[]> {
  const found =
    known.get(db) ??
    db.read.introspection
      .getTables()
      .then((tables) => tables.map(({ name }) => name).filter((name) => !LEFT_OUT.test(name)) as Table[]);
  known.set(db, found);
  return found;
}

const asText = (row: object) =>
  Object.entries(row)
    .filter(([column]) => column !== 'last_seen_at')
    .map(([column, value]) => `${column}=${Buffer.isBuffer(value) ? value.toString('base64') : String(value)}`)
    .join(' ');
