/**
 * Connections to a PostgreSQL server. A pool answers with numbers where the embedded engine does, and a connection that has failed is never used again:
 * its next statement fails at once and it is closed when it is given back.
 */
import pg from 'pg';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { PostgresAddress } from './postgres-address.ts';

const SECOND = 1000;

/** Milliseconds (threats §5.2.3). The client's own limit is the last resort, for a server that vanished without a word (R38). */
const TIMEOUTS = {
  statement_timeout: 10 * SECOND,
  lock_timeout: 3 * SECOND,
  idle_in_transaction_session_timeout: 15 * SECOND,
  query_timeout: 13 * SECOND,
} as const;
const UNLIMITED = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 } as const;
/** To connect, or to wait until a connection of the pool is free. */
const CONNECT_WITHIN = 10 * SECOND;

/** No answer from the server: it is away, the way to it is cut, or it takes no more connections. */
class DatabaseAway extends Error {
  /** SQLSTATE of a connection failure. */
  readonly code = '08006';
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause });
    this.name = 'DatabaseAway';
  }
}

interface PoolOptions {
  readonly max: number;
  /** For statements that may take long: migrations, and copying a whole database. */
  readonly isUnhurried?: boolean;
  readonly isReadOnly?: boolean;
}

/** Large integers and decimals come as text by default, booleans as such: our columns hold numbers, and flags that are 0 or 1. */
const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && NUMBERS.has(oid)) return Number;
    if (format !== 'binary' && oid === pg.types.builtins.BOOL) return (text: string) => (text === 't' ? 1 : 0);
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};

export function openPool({ connectionString }: PostgresAddress, options: PoolOptions): PostgresPool {
  const { max, isUnhurried = false, isReadOnly = false } = options;
  const pool = new pg.Pool({
    connectionString,
    max,
    types,
    ...(isUnhurried ? UNLIMITED : TIMEOUTS),
    ...(isReadOnly ? { options: '-c default_transaction_read_only=on' } : {}),
    connectionTimeoutMillis: CONNECT_WITHIN,
    idleTimeoutMillis: 30 * SECOND,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5 * SECOND,
    application_name: 'passwordbroker',
  });
  // One that breaks while nobody uses it is dropped by the pool; the next act takes another.
  pool.on('error', () => {});
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw asFailure(error);
      });
      const known = guarded.get(client) ?? guard(client);
      guarded.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

function guard(client: pg.PoolClient): PostgresPoolClient {
  let broken: Error | null = null;
  // Without a listener a connection that breaks between two statements would end the process.
  client.on('error', (error) => (broken ??= new DatabaseAway(error)));
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(
    text: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== 'string') throw new TypeError('There are no cursors here');
    return ask<R>(text, values);
  }
  async function ask<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (broken !== null) throw broken;
    try {
      const { command, rowCount, rows } = await client.query(text, [...values]);
      return { command: countedCommand(command), rowCount: rowCount ?? 0, rows };
    } catch (error) {
      const failure = asFailure(error);
      if (failure instanceof DatabaseAway || isFatal(failure)) broken = failure;
      throw failure;
    }
  }
  return { query, release: () => client.release(broken ?? undefined) };
}

const COUNTED = ['UPDATE', 'DELETE', 'INSERT', 'MERGE'] as const;
/** The query builder counts the rows of these only. */
const countedCommand = (command: string) => COUNTED.find((counted) => counted === command) ?? 'SELECT';

/** What the server says has a code; whatever else goes wrong on the way to it is a matter of the connection. */
function asFailure(error: unknown): Error {
  if (error instanceof pg.DatabaseError || error instanceof TypeError) return error;
  return new DatabaseAway(error);
}

const isFatal = (error: Error) =>
  error instanceof pg.DatabaseError && (error.severity === 'FATAL' || /^(57P0|08|25P03)/.test(error.code ?? ''));
