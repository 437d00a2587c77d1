import { HandleEmptyInListsPlugin, Kysely, PostgresDialect, replaceWithNoncontingentExpression } from 'kysely';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { TransactionGone } from '../failures.ts';
import type { PostgresAddress } from './address.ts';
import { statementName } from '../prepared.ts';
import type { Tables } from '../schema/tables.ts';

const SECOND = 1000;

/** Milliseconds (docs/spec/threats.md §5.2.3). `query_timeout` covers an unreachable server. */
const TIMEOUTS = {
  statement_timeout: 10 * SECOND,
  lock_timeout: 3 * SECOND,
  idle_in_transaction_session_timeout: 15 * SECOND,
  query_timeout: 10.5 * SECOND,
} as const;
const CONNECT_TIMEOUT = 4 * SECOND;
const LONG_CONNECT_TIMEOUT = 10 * SECOND;

/** Down, unreachable or full. */
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
  /** No timeouts. */
  readonly isUnlimited?: boolean;
  readonly isReadOnly?: boolean;
  /** Longer connection timeout. */
  readonly isPatient?: boolean;
}

const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
/** As SQLite: large integers and decimals as numbers, booleans as 0 or 1. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    if (NUMBERS.has(oid)) return Number;
    if (oid === pg.types.builtins.BOOL) return (text: string) => (text === 't' ? 1 : 0);
    return pg.types.getTypeParser(oid, 'text');
  },
};

/** PostgreSQL does not allow `in ()`. */
const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });

/** A query builder on its own pool, closed by `destroy`. */
export function openQueries<Schema = Tables>(address: PostgresAddress, options: PoolOptions): Kysely<Schema> {
  const dialect = new PostgresDialect({ pool: openPool(address, options) });
  return new Kysely<Schema>({ dialect, plugins: [emptyLists] });
}

function openPool({ connectionString }: PostgresAddress, options: PoolOptions): PostgresPool {
  const { max, isUnlimited = false, isReadOnly = false, isPatient = isUnlimited } = options;
  const pool = new pg.Pool({
    connectionString,
    max,
    types,
    ...(isUnlimited ? {} : TIMEOUTS),
    ...(isReadOnly ? { options: '-c default_transaction_read_only=on' } : {}),
    connectionTimeoutMillis: isPatient ? LONG_CONNECT_TIMEOUT : CONNECT_TIMEOUT,
    idleTimeoutMillis: 30 * SECOND,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5 * SECOND,
    application_name: 'passwordbroker',
  });
  const state: PoolState = { generation: 0, namesStatements: true };
  const generations = new WeakMap<pg.PoolClient, number>();
  const isOld = (client: pg.PoolClient) => generations.get(client) !== state.generation;
  pool.on('connect', (client) => {
    generations.set(client, state.generation);
    // Without a listener, a broken idle connection would end the process.
    client.on('error', () => {});
  });
  pool.on('error', () => {});
  return {
    async connect() {
      for (;;) {
        const client = await pool.connect().catch((error: unknown) => {
          throw error instanceof pg.DatabaseError ? error : new DatabaseAway(error);
        });
        if (isOld(client)) client.release(true);
        else return asKyselyClient(client, state, () => client.release(isOld(client)));
      }
    },
    end: () => pool.end(),
  };
}

interface PoolState {
  /** Grows when a connection fails: older ones are replaced. */
  generation: number;
  /** False behind a pooler that drops prepared statements. */
  namesStatements: boolean;
}

function asKyselyClient(client: pg.PoolClient, state: PoolState, release: () => void): PostgresPoolClient {
  const send = async (text: string, values: unknown[]) => {
    const name = state.namesStatements ? statementName(text) : undefined;
    const isInTransaction = client.getTransactionStatus() !== 'I';
    try {
      const result = await client.query(name === undefined ? { text, values } : { name, text, values });
      // PostgreSQL rolls back instead if a statement failed.
      if (text === 'commit' && result.command !== 'COMMIT') throw new TransactionGone();
      return result;
    } catch (error) {
      if (isForgotten(error)) {
        state.generation += 1;
        if (error.code !== OTHER_COLUMNS) state.namesStatements = false;
        if (isInTransaction) throw new StatementForgotten(error);
        return client.query({ text, values });
      }
      const isAnswer = error instanceof pg.DatabaseError;
      if (error instanceof TransactionGone || (isAnswer && !ENDS_CONNECTION.test(error.code ?? ''))) throw error;
      // Later statements fail at once.
      void client.end();
      if (isAnswer) throw error;
      state.generation += 1;
      throw new DatabaseAway(error);
    }
  };
  let isBeginning = false;
  // Sends `begin` with the next statement, which takes the vault lock: one round trip for both.
  const query = async (text: string, values: unknown[]) => {
    if (text === 'begin') {
      isBeginning = true;
      return { command: 'BEGIN', rowCount: null, rows: [] };
    }
    if (!isBeginning) return send(text, values);
    isBeginning = false;
    if (values.length > 0) {
      await send('begin', []);
      return send(text, values);
    }
    const results: unknown = await send(`begin; ${text}`, []);
    return Array.isArray(results) ? (results.at(-1) as pg.QueryResult) : results;
  };
  return { query: query as unknown as PostgresPoolClient['query'], release };
}

/** After these the server closes the connection. */
const ENDS_CONNECTION = /^(08|57P)|^25P03$/;

/** Repeat the transaction on a newer connection. */
class StatementForgotten extends Error {
  /** SQLSTATE of a serialization failure. */
  readonly code = '40001';
  constructor(cause: unknown) {
    super('The server does not know a prepared statement, or its table has changed.', { cause });
    this.name = 'StatementForgotten';
  }
}

const OTHER_COLUMNS = '0A000';
/** A pooler changed the connection: the name is unknown or taken. */
const OTHER_CONNECTION: ReadonlySet<unknown> = new Set(['26000', '42P05']);

const isForgotten = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError &&
  (OTHER_CONNECTION.has(error.code) || (error.code === OTHER_COLUMNS && error.routine === 'RevalidateCachedQuery'));
