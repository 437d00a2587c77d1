import { buffer } from 'node:stream/consumers';
import { readNamedBodies, readTable } from '../backups/run/snapshot-repository.ts';
import { BACKED_UP } from '../backups/archive/tables.ts';
import { lockVault } from '../db/locks.ts';
import { openBulkWriter, type InsertRows } from '../db/bulk/writer.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import { runningDigest } from '../platform/ids-and-digests.ts';
import { isUntouched, readWhole, type Row } from './move-repository.ts';
import { hasNobody, leaveUnsealedToTheSealer } from '../recovery/switch-repository.ts';

type TableName = keyof Tables;
type Reader = Pick<Database, 'read'>;

/** Not in archives. Keeps people signed in, and limits and notices in force. */
const TAKEN_ALONG = [
  'sessions',
  'proof_nonces',
  'attempts',
  'mail_outbox',
  'audit_pushes',
  'backups',
  'backup_copies',
] as const satisfies readonly TableName[];

export interface Moved {
  /** Number of rows by table, and of files. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The target is not empty, or differs after the move. The message is for the operator. */
export class MoveRefused extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'MoveRefused';
  }
}

/**
 * Copies the embedded database to PostgreSQL in one transaction, then compares both. Locks the source for
 * writes.
 * @throws MoveRefused says whether anything was written
 */
export function moveToServer(from: Database, to: Database): Promise<Moved> {
  return from.transact(async () => {
    if (!(await isUntouched(to))) throw new MoveRefused(NOT_EMPTY);
    for await (const { sha256 } of readNamedBodies(from.read)) {
      const stored = await to.bodies.put(await buffer(from.bodies.open(sha256)));
      if (stored.sha256 !== sha256) throw new MoveRefused(`The sealed file ${sha256} is damaged: see doctor.`);
    }
    await moveRows(from, to);
    try {
      return { counts: { ...(await compare(from, to)), files: await compareFiles(from, to) } };
    } catch (error) {
      throw new MoveRefused(`${MOVED_BUT} ${reasonOf(error)} ${START_AGAIN}`, { cause: error });
    }
  });
}

const NOT_EMPTY = 'The database on the server is not empty.';
const MOVED_BUT = 'Everything has been written to the server, but looking at it once more there went wrong:';
const MAYBE_MOVED = 'The connection broke while the server was storing it all for good, so it may be there or not:';
const START_AGAIN =
  'Do not use it as it is: empty the database on the server and move again. The embedded one is unchanged.';

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'Something failed').replace(/\.?$/, '.');

/** Locks the target exclusively. */
async function moveRows(from: Database, to: Database): Promise<void> {
  const writer = await openBulkWriter(to.path);
  let isWritten = false;
  try {
    await writer.transact(async (tx, insert) => {
      await lockVault(tx);
      if (!(await hasNobody(tx))) throw new MoveRefused(NOT_EMPTY);
      await tx.deleteFrom('site_settings').execute();
      await copyRows(from, insert);
      await leaveUnsealedToTheSealer(tx);
      await compare(from, { read: tx });
      isWritten = true;
    });
  } catch (error) {
    throw isWritten ? new MoveRefused(`${MAYBE_MOVED} ${reasonOf(error)} ${START_AGAIN}`, { cause: error }) : error;
  } finally {
    await writer.close();
  }
}

const withoutNumber = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'id'));

async function copyRows(from: Pick<Database, 'read'>, insert: InsertRows): Promise<void> {
  for (const table of TABLES) {
    for await (const rows of rowsOf(from, table)) {
      await insert(table, rows.map((row) => asMoved(table, row)) as unknown as Parameters<InsertRows>[1]);
    }
  }
  for await (const rows of rowsOf(from, TEXTS)) {
    // The target assigns row numbers of the index.
    await insert(TEXTS, rows.map(withoutNumber) as unknown as Parameters<InsertRows>[1]);
  }
}

const TEXTS: TableName = 'entry_search';
const TABLES: readonly TableName[] = [...BACKED_UP.map(({ table }) => table), ...TAKEN_ALONG];

async function* rowsOf(db: Reader, table: TableName): AsyncGenerator<readonly Row[]> {
  if (BACKED_UP.some((one) => one.table === table)) yield* readTable(db.read, table);
  else yield await readWhole(db, table);
}

/** Cursors are the database's own, so offline copies are downloaded again. */
function asMoved(table: TableName, row: Row): Row {
  if (table !== 'user_applications') return row;
  return { ...row, copy_fetched_at: null, key_state: null, key_fetched_at: null };
}

/** @throws MoveRefused with the table that differs */
async function compare(
  from: Pick<Database, 'read'>,
  to: { readonly read: Database['read'] },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    const [before, after] = [await summaryOf(from, table), await summaryOf(to, table)];
    if (before.count !== after.count || before.digest !== after.digest) {
      throw new MoveRefused(
        `The table ${table} is not the same on the server: ${before.count} rows here, ${after.count} there.`,
      );
    }
    counts[table] = before.count;
  }
  return counts;
}

async function summaryOf(db: Pick<Database, 'read'>, table: TableName): Promise<{ count: number; digest: string }> {
  let count = 0;
  const digest = runningDigest();
  const loose: string[] = [];
  const isOrdered = BACKED_UP.some((one) => one.table === table);
  for await (const rows of rowsOf(db, table)) {
    count += rows.length;
    for (const row of rows) {
      const moved = asMoved(table, row);
      const text = JSON.stringify(
        Object.keys(moved)
          .sort()
          .map((column) => [column, moved[column]]),
      );
      if (isOrdered) digest.update(Buffer.from(text));
      else loose.push(text);
    }
  }
  for (const text of loose.sort()) digest.update(Buffer.from(text));
  return { count, digest: digest.digest('hex') };
}

async function compareFiles(from: Pick<Database, 'read'>, to: Database): Promise<number> {
  let files = 0;
  for await (const { sha256, size } of readNamedBodies(from.read)) {
    const there = await buffer(to.bodies.open(sha256));
    if (there.length !== size) throw new MoveRefused(`The sealed file ${sha256} is not whole on the server.`);
    files += 1;
  }
  return files;
}
