import { sql } from 'kysely';
import type { BulkWriter, InsertRows } from '../bulk/writer.ts';
import type { Transact } from '../database.ts';
import { countRows, packedRows, unpackRows } from '../bulk/packed-rows.ts';
import { portions } from '../portions.ts';
import type { PostgresAddress } from './address.ts';
import { openQueries } from './pool.ts';

export function openBulkWriterOnServer(address: PostgresAddress): BulkWriter {
  const queries = openQueries(address, { max: 1, isUnlimited: true });
  const written = new Map<string, number>();
  return {
    transact(work, { isDurable = true } = {}) {
      return queries.transaction().execute(async (tx) => {
        // The role may have its own timeout.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
        if (!isDurable) await sql`set local synchronous_commit = off`.execute(tx);
        return work(tx, counting(insertAsRecords(tx), written));
      });
    },
    async close() {
      for (const [table, rows] of written) {
        if (rows >= MANY) await sql`analyze ${sql.table(table)}`.execute(queries).catch(() => {});
      }
      await queries.destroy();
    },
  };
}

/** Analyzes tables with so many new rows: until autovacuum does, searches are ten times as slow. */
const MANY = 1000;

const counting =
  (insert: InsertRows, written: Map<string, number>): InsertRows =>
  async (table, rows) => {
    const packed = packedRows(rows);
    written.set(table, (written.get(table) ?? 0) + countRows(packed));
    return insert(table, packed);
  };

/** PostgreSQL converts each JSON portion to the column types. */
function insertAsRecords(tx: Transact): InsertRows {
  return async (table, given) => {
    const rows: readonly object[] = unpackRows(packedRows(given));
    const [first] = rows;
    if (first === undefined) return;
    const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)));
    for (const portion of portions(rows)) {
      const records = JSON.stringify(portion.map(asRecord));
      await sql`insert into ${sql.table(table)} (${columns})
        select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${records}::json)`.execute(tx);
    }
  };
}

const asRecord = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [
      column,
      value instanceof Uint8Array
        ? `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
        : value,
    ]),
  );
