/**
 * A writer of its own for a thread that puts very many rows into the database in one act. Through the query builder the same rows would take
 * several times as long.
 */
import type BetterSqlite from 'better-sqlite3';
import type { Insertable } from 'kysely';
import type { Transact } from './database.ts';
import { readPostgresUrl } from './postgres-address.ts';
import type { Tables } from './schema.ts';
import { openWriter } from './sqlite.ts';

export type InsertRows = <Name extends keyof Tables>(
  table: Name,
  rows: readonly Insertable<Tables[Name]>[],
) => Promise<void>;

export interface BulkWriter {
  /**
   * One act: all of it or nothing. Whoever opened the database must lend its writer meanwhile (`Database.lendWriter`), and `work` must judge behind
   * `joinActs`, when its rows are written: until then others act, too.
   */
  transact<T>(work: (tx: Transact, insert: InsertRows) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens a second writing connection to the database (`Database.path`) that another thread of this process has open. */
export async function openBulkWriter(path: string): Promise<BulkWriter> {
  const address = readPostgresUrl(path);
  if (address !== null) {
    const { openBulkWriterOnServer } = await import('./postgres-bulk-writer.ts');
    return openBulkWriterOnServer(address);
  }
  const { connection, queries } = openWriter(path);
  const insert = insertInto(connection);
  return {
    transact: (work) => queries.transaction().execute((tx) => work(tx, insert)),
    close: () => queries.destroy(),
  };
}

/**
 * Rows of one statement, the most first. The index of trigrams is written at the end of every statement: a row at a time costs several times as much.
 */
const ROWS_AT_ONCE = [128, 16, 1] as const;

function insertInto(connection: BetterSqlite.Database): InsertRows {
  const columnsOf = new Map<string, readonly string[]>();
  const statements = new Map<string, BetterSqlite.Statement<unknown[]>>();
  const prepare = (table: string, columns: readonly string[], rows: number) => {
    const row = `(${columns.map(() => '?').join(', ')})`;
    // Table and column names are our own, from `schema.ts`.
    const text = `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: rows }, () => row).join(', ')}`;
    const statement = connection.prepare<unknown[]>(text);
    statements.set(`${table} ${rows}`, statement);
    return statement;
  };
  return async (table, rows) => {
    const [first] = rows;
    if (first === undefined) return;
    // The first row names the columns of its table; those after it may have them in any order.
    const columns = columnsOf.get(table) ?? Object.keys(first);
    columnsOf.set(table, columns);
    let at = 0;
    for (const count of ROWS_AT_ONCE) {
      for (; at + count <= rows.length; at += count) {
        const statement = statements.get(`${table} ${count}`) ?? prepare(table, columns, count);
        statement.run(...valuesOf(rows.slice(at, at + count), columns));
      }
    }
  };
}

const valuesOf = (rows: readonly object[], columns: readonly string[]): unknown[] =>
  rows.flatMap((row) => columns.map((column) => (row as Readonly<Record<string, unknown>>)[column]));
