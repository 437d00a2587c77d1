import type { Database as Connection, Statement } from 'better-sqlite3';
import type { Transact } from '../database.ts';
import { countRows, packedRows } from './packed-rows.ts';
import type { AnyPackedRows, Rows } from './packed-rows.ts';
import { readPostgresUrl } from '../postgres/address.ts';
import type { Tables } from '../schema/tables.ts';
import { openWriter } from '../sqlite/connections.ts';

export type InsertRows = <Name extends keyof Tables>(table: Name, rows: Rows<Name>) => Promise<void>;

export interface BulkWriter {
  /**
   * Runs one transaction while the writer is lent (`Database.lendWriter`). `work` calls `lockVaultShared`
   * before its first check.
   */
  transact<T>(work: (tx: Transact, insert: InsertRows) => Promise<T>, how?: HowDurable): Promise<T>;
  close(): Promise<void>;
}

interface HowDurable {
  /** False: the commit does not wait for the disk; the next durable one writes both. Default true. */
  readonly isDurable?: boolean;
}

/** Opens a second writing connection to `Database.path` in a thread, faster than the query builder. */
export async function openBulkWriter(path: string): Promise<BulkWriter> {
  const address = readPostgresUrl(path);
  if (address !== null) {
    const { openBulkWriterOnServer } = await import('../postgres/bulk-writer.ts');
    return openBulkWriterOnServer(address);
  }
  const { connection, queries, checkpoint } = openWriter(path, (error) => {
    throw error;
  });
  const insert = insertInto(connection);
  return {
    transact(work, { isDurable = true } = {}) {
      connection.pragma(`synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
      return queries
        .transaction()
        .execute((tx) => work(tx, insert))
        .finally(checkpoint);
    },
    async close() {
      await queries.destroy();
      // Kysely closes only connections that it has used.
      connection.close();
    },
  };
}

/** FTS5 writes its index after each statement. */
const ROWS_AT_ONCE = 1000;
const STATEMENTS_KEPT = 64;

function insertInto(connection: Connection): InsertRows {
  const statements = new Map<string, Statement<unknown[]>>();
  const prepare = (table: string, columns: readonly string[], rows: number, isAlike: readonly boolean[]) => {
    const key = [table, rows, ...columns, isAlike.map(Number).join('')].join(' ');
    const known = statements.get(key);
    if (known !== undefined) return known;
    const statement = connection.prepare<unknown[]>(insertText(table, columns, rows, isAlike));
    if (statements.size >= STATEMENTS_KEPT) statements.delete(statements.keys().next().value ?? '');
    statements.set(key, statement);
    return statement;
  };
  return async (table, rows) => {
    const packed = packedRows(rows);
    const length = countRows(packed);
    for (let at = 0; at < length; at += ROWS_AT_ONCE) {
      const count = Math.min(ROWS_AT_ONCE, length - at);
      const { isAlike, values } = boundValues(packed, at, count);
      prepare(table, packed.columns, count, isAlike).run(values);
    }
  };
}

/** Binds constant columns once: imports take a third of the time. */
function boundValues({ columns, alike, varied, values }: AnyPackedRows, from: number, count: number) {
  const width = varied.filter(Boolean).length;
  if (width === 0) {
    return { isAlike: columns.map(() => false), values: Array.from({ length: count }, () => alike).flat() };
  }
  const once = alike.filter((_, column) => varied[column] !== true);
  return {
    isAlike: varied.map((isVaried) => !isVaried),
    values: [...once, ...values.slice(from * width, (from + count) * width)],
  };
}

/** Table and column names are constants, never input. */
function insertText(table: string, columns: readonly string[], rows: number, isAlike: readonly boolean[]): string {
  const into = `insert into ${table} (${columns.join(', ')})`;
  const alike = columns.filter((_, column) => isAlike[column]);
  const own = columns.filter((_, column) => isAlike[column] !== true);
  const row = `(${own.map(() => '?').join(', ')})`;
  const list = `values ${Array.from({ length: rows }, () => row).join(', ')}`;
  if (alike.length === 0) return `${into} ${list}`;
  const once = `select ${alike.map((column) => `? as alike_${column}`).join(', ')}`;
  const picked = columns.map((column) =>
    alike.includes(column) ? `alike_${column}` : `column${own.indexOf(column) + 1}`,
  );
  return `with once as (${once}), list as (${list}) ${into} select ${picked.join(', ')} from list, once`;
}
