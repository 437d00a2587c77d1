/**
 * Connections to a PostgreSQL server. A pool answers with numbers where the embedded engine does, and a connection that has failed is never used again:
 * its next statement fails at once and it is closed when it is given back.
 */
import pg from 'pg';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { PostgresAddress } from './postgres-address.ts';

const SECOND = 1000;

/**
 * Milliseconds (threats §5.2.3). The client's own limit is the last resort, for a server that vanished without a word (R38). Whoever waits for a connection
 * and then for an answer on it is sent away within fifteen seconds (R36).
 */
const TIMEOUTS = {
  statement_timeout: 10 * SECOND,
  lock_timeout: 3 * SECOND,
  idle_in_transaction_session_timeout: 15 * SECOND,
  query_timeout: 10.5 * SECOND,
} as const;
const UNLIMITED = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 } as const;
/** Until one of the pool's connections is free, or a new one is made: both together. */
const CONNECT_WITHIN = 4 * SECOND;
/** For those that may take their time. */
const CONNECT_AT_LAST = 10 * SECOND;

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
  /** For those whose turns are long: a connection is waited for longer. */
  readonly isPatient?: boolean;
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
  const { max, isUnhurried = false, isReadOnly = false, isPatient = isUnhurried } = options;
  const patience = isPatient ? CONNECT_AT_LAST : CONNECT_WITHIN;
  const pool = new pg.Pool({
    connectionString,
    max,
    types,
    ...(isUnhurried ? UNLIMITED : TIMEOUTS),
    ...(isReadOnly ? { options: '-c default_transaction_read_only=on' } : {}),
    connectionTimeoutMillis: patience,
    idleTimeoutMillis: 30 * SECOND,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5 * SECOND,
    application_name: 'passwordbroker',
  });
  // One that breaks while nobody uses it is dropped by the pool; the next act takes another.
  pool.on('error', () => {});
  const guarded = new WeakMap<pg.PoolClient, Guarded>();
  /** How often the server has kept silent: connections from before that are not trusted any more. */
  let silences = 0;
  const noteSilence = () => void (silences += 1);
  const connect = async (): Promise<Guarded> => {
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw asFailure(error);
      });
      const known = guarded.get(client) ?? guard(client, silences, noteSilence);
      guarded.set(client, known);
      if (known.since === silences) return known;
      client.release(true);
    }
  };
  return {
    connect: () => within(patience, connect()),
    end: () => pool.end(),
  };
}

/** Gives up after so long; what comes later is given back. */
async function within(ms: number, connecting: Promise<Guarded>): Promise<Guarded> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new DatabaseAway('No connection in time'));
    }, ms);
  });
  connecting.then(
    (client) => void (isLate && client.release()),
    () => {},
  );
  return Promise.race([connecting, late]).finally(() => clearTimeout(timer));
}

interface Guarded extends PostgresPoolClient {
  /** How often the server had kept silent when the connection was made. */
  readonly since: number;
}

function guard(client: pg.PoolClient, since: number, noteSilence: () => void): Guarded {
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
      if (failure instanceof DatabaseAway) noteSilence();
      if (failure instanceof DatabaseAway || isFatal(failure)) broken = failure;
      throw failure;
    }
  }
  return { query, since, release: () => client.release(broken ?? undefined) };
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
