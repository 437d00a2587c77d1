/** The bulk writer on a PostgreSQL server. */
import { sql } from 'kysely';
import { FIRST } from './act-locks.ts';
import type { BulkWriter, InsertRows } from './bulk-writer.ts';
import type { Transact } from './database.ts';
import { packedRows, unpackRows } from './packed-rows.ts';
import { portions } from './portions.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { kyselyOn } from './postgres-dialect.ts';
import { openPool } from './postgres-pool.ts';

export function openBulkWriterOnServer(address: PostgresAddress): BulkWriter {
  const queries = kyselyOn(openPool(address, { max: 1, isUnhurried: true }), FIRST.free);
  return {
    transact: (work) => queries.transaction().execute((tx) => work(tx, insertAsRecords(tx))),
    close: () => queries.destroy(),
  };
}

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
