/** The bulk writer on a PostgreSQL server. */
import { sql } from 'kysely';
import { FIRST } from './act-locks.ts';
import type { BulkWriter, InsertRows } from './bulk-writer.ts';
import type { Transact } from './database.ts';
import { countRows, packedRows, unpackRows } from './packed-rows.ts';
import { portions } from './portions.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { kyselyOn } from './postgres-dialect.ts';
import { openPool } from './postgres-pool.ts';

export function openBulkWriterOnServer(address: PostgresAddress): BulkWriter {
  const queries = kyselyOn(openPool(address, { max: 1, isUnhurried: true }), FIRST.free);
  const written = new Map<string, number>();
  return {
    transact(work, { isDurable = true } = {}) {
      return queries.transaction().execute(async (tx) => {
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

/**
 * So many new rows are looked at by the server at once: by itself it does so within minutes, and until then a search among rows of which it knows nothing takes ten
 * times as long.
 */
const MANY = 1000;

const counting =
  (insert: InsertRows, written: Map<string, number>): InsertRows =>
  async (table, rows) => {
    const packed = packedRows(rows);
    written.set(table, (written.get(table) ?? 0) + countRows(packed));
    return insert(table, packed);
  };

/** Each portion is one parameter, which the server takes apart by the types of the table's own columns. */
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

/** Bytes as the server reads them. */
const asRecord = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [
      column,
      value instanceof Uint8Array
        ? `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
        : value,
    ]),
  );
