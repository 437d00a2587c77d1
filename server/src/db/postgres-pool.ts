/**
 * Connections to a PostgreSQL server. A pool answers with numbers where the embedded engine does, and a connection that has failed is never used again:
 * its next statement fails at once and it is closed when it is given back.
 */
import pg from 'pg';
import type { PostgresAddress } from './postgres-address.ts';
import { Batch, Names } from './postgres-batch.ts';
import type { Answer, Answers, Statement } from './postgres-batch.ts';

const SECOND = 1000;

/**
 * Milliseconds (docs/spec/threats.md §5.2.3). The client's own limit is the last resort, for a server that vanished without a word (R38). Whoever waits for a connection
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
export const CONNECT_WITHIN = 4 * SECOND;
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

export interface PostgresConnection {
  /** One way to the server and back, whatever their number. Behind one that fails nothing is done. Rejected for values that no statement can have. */
  ask(statements: readonly Statement[]): Promise<Answers>;
  /** Text that may be of several statements, without values. */
  run(text: string): Promise<Answer>;
  /** Ends the transaction that it is in. Never rejected: a connection of which that is not certain is not used again. */
  rollback(): Promise<void>;
  release(): void;
}

export interface PostgresPool {
  connect(): Promise<PostgresConnection>;
  end(): Promise<void>;
}

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
  const state: PoolState = { silences: 0, keepsNames: true };
  const connect = async (): Promise<Guarded> => {
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw asFailure(error);
      });
      const known = guarded.get(client) ?? guard(client, state);
      guarded.set(client, known);
      if (known.since === state.silences) return known;
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

interface PoolState {
  /** How often the server has kept silent: connections from before that are not trusted any more. */
  silences: number;
  /** Not behind a pooler that hands connections on without the statements they have named. */
  keepsNames: boolean;
}

interface Guarded extends PostgresConnection {
  /** How often the server had kept silent when the connection was made. */
  readonly since: number;
}

const nameless = ({ text, values, isSilent = false }: Statement): Statement => ({ text, values, isSilent });

const parserOf = (type: number) => types.getTypeParser(type, 'text') as (text: string) => unknown;

function guard(client: pg.PoolClient, state: PoolState): Guarded {
  let broken: Error | null = null;
  const since = state.silences;
  const names = new Names();
  // Without a listener a connection that breaks between two statements would end the process.
  client.on('error', (error) => (broken ??= new DatabaseAway(error)));
  const failed = (error: unknown, answered = 0): Error => {
    const failure = asFailure(error);
    // A server that has answered some of what it was asked for is slow, and there.
    if (failure instanceof DatabaseAway && answered === 0) state.silences += 1;
    if (endsConnection(failure)) broken = failure;
    if (!hasForgotten(failure)) return failure;
    // What a table looks like has changed under a statement, or the pooler does not know of it.
    names.doubtAll();
    if (failure.code !== OTHER_COLUMNS) state.keepsNames = false;
    return new StatementsForgotten(failure);
  };
  return {
    since,
    async ask(statements) {
      if (broken !== null) return { given: [], failure: broken };
      const named = state.keepsNames ? statements : statements.map(nameless);
      return new Promise((resolve) => {
        // A response after the end, as after the driver's timeout, belongs to no request.
        const ended = (error: unknown) => {
          const given = [...batch.given];
          resolve({ given, failure: error === null ? null : failed(error, given.length) });
        };
        const batch = new Batch(named, { names, parserOf }, ended);
        client.query(batch);
      });
    },
    async run(text) {
      if (broken !== null) throw broken;
      try {
        const { command, rowCount, rows } = await client.query<Record<string, unknown>>(text);
        return { command, rowCount: rowCount ?? 0, rows };
      } catch (error) {
        throw failed(error);
      }
    },
    async rollback() {
      if (broken !== null) return;
      try {
        await client.query('rollback');
      } catch (error) {
        broken ??= failed(error);
      }
    },
    release: () => client.release(broken ?? undefined),
  };
}

/**
 * The server does not have the statement that it was asked for by name, or would answer it with other columns than before. Nothing was done, and the next
 * attempt tells it anew.
 */
export class StatementsForgotten extends Error {
  /** As after a failed serialization: undone as a whole, and done again. */
  readonly code = '40001';
  constructor(cause: unknown) {
    super('The server does not know a statement any more.', { cause });
    this.name = 'StatementsForgotten';
  }
}

const OTHER_COLUMNS = '0A000';
/** Unknown name, name given to something else; another text under it there can not be, names are hashes. */
const FORGOTTEN: ReadonlySet<unknown> = new Set(['26000', '42P05']);

const hasForgotten = (error: Error): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError &&
  (FORGOTTEN.has(error.code) || (error.code === OTHER_COLUMNS && error.routine === 'RevalidateCachedQuery'));

/** What the server says has a code; whatever else goes wrong on the way to it is a matter of the connection. */
function asFailure(error: unknown): Error {
  if (error instanceof pg.DatabaseError || error instanceof TypeError) return error;
  return new DatabaseAway(error);
}

const isTold = (code: string) => (failure: Error) => failure instanceof pg.DatabaseError && failure.code === code;
/** The server has given it up because it took too long. */
export const isOutOfTime = isTold('57014');
/** Because a lock was not to be had in time. */
export const isLockedOut = isTold('55P03');

/** Behind it the connection answers nothing any more. */
export const endsConnection = (failure: Error): boolean => failure instanceof DatabaseAway || isFatal(failure);

const isFatal = (error: Error) =>
  error instanceof pg.DatabaseError && (error.severity === 'FATAL' || /^(57P0|08|25P03)/.test(error.code ?? ''));
