/** The query builder on PostgreSQL, with transactions that begin with what the kind of act needs. */
import {
  DefaultQueryExecutor,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  Transaction,
  replaceWithNoncontingentExpression,
} from 'kysely';
import type {
  CompiledQuery,
  ConnectionProvider,
  DatabaseConnection,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import { isLookup, nameOfText } from './kept-query.ts';
import { TransactionGone } from './kept-statement.ts';
import type { Answer, Statement } from './postgres-batch.ts';
import { lookingUp } from './postgres-lookups.ts';
import type { LookUp } from './postgres-lookups.ts';
import { StatementsForgotten } from './postgres-pool.ts';
import type { PostgresConnection, PostgresPool } from './postgres-pool.ts';
import { NOTHING, isSeveral, resultOf, statementOf } from './postgres-query.ts';
import type { Tables } from './schema.ts';

export const BEGIN: Statement = { text: 'begin', values: [], name: 'begin', isSilent: true };
export const COMMIT: Statement = { text: 'commit', values: [], name: 'commit' };
const COMMITTED = { command: 'COMMIT' };

class Connection implements DatabaseConnection {
  readonly #pool: PostgresPool;
  readonly #lookUp: LookUp | null;
  /** Taken with the transaction, or with the first statement that needs it. */
  #taken: Promise<PostgresConnection> | null = null;
  /** They go with the next statement. */
  #waiting: Statement[] = [];
  /** `waiting`: the server has not heard of the transaction yet. */
  #transaction: 'none' | 'waiting' | 'begun' = 'none';
  /** Of those that wait, so many begin it. */
  #first = 0;

  constructor(pool: PostgresPool, lookUp: LookUp | null) {
    this.#pool = pool;
    this.#lookUp = lookUp;
  }

  #take(): Promise<PostgresConnection> {
    return (this.#taken ??= this.#pool.connect());
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = statementOf(query);
    if (statement.isSilent === true) {
      if (this.#transaction === 'none') throw new Error('Nothing would come later: there is no act');
      this.#waiting.push(statement);
      return NOTHING;
    }
    if (this.#lookUp !== null && this.#transaction === 'none' && isLookup(query)) {
      return resultOf(await this.#lookUp(statement));
    }
    return resultOf(await (isSeveral(statement) ? this.#run(statement.text) : this.#ask(statement)));
  }

  /** @param isLater with the first statement of the act; one that asks nothing begins nothing */
  async begin(first: readonly Statement[], isLater: boolean): Promise<void> {
    await this.#take();
    this.#waiting = [BEGIN, ...first];
    this.#first = this.#waiting.length;
    this.#transaction = 'waiting';
    if (isLater) return;
    try {
      await this.#flush();
    } catch (error) {
      // It has begun, and failed: nobody else would end it.
      await this.rollback();
      throw error;
    }
  }

  /** Begins with the server's own words for it. */
  async beginAs(text: string): Promise<void> {
    await this.#take();
    this.#transaction = 'begun';
    await this.#run(text);
  }

  /** @throws TransactionGone when a failure within it was kept silent: the server undoes what it is told to commit then */
  async commit(): Promise<void> {
    const hasAsked = this.#transaction === 'begun' || this.#waiting.length > this.#first;
    const { command } = hasAsked ? await this.#ask(COMMIT) : COMMITTED;
    this.#waiting = [];
    this.#transaction = 'none';
    if (command !== COMMITTED.command) throw new TransactionGone();
  }

  async rollback(): Promise<void> {
    const isBegun = this.#transaction === 'begun';
    this.#waiting = [];
    this.#transaction = 'none';
    if (isBegun) await (await this.#take()).rollback();
  }

  async release(): Promise<void> {
    // Without one there is nothing to give back.
    const taken = await this.#taken?.catch(() => null);
    taken?.release();
  }

  streamQuery(): never {
    throw new Error('There are no cursors here');
  }

  async #ask(statement: Statement): Promise<Answer> {
    const statements = [...this.#waited(), statement];
    try {
      return await this.#askAll(statements);
    } catch (error) {
      // Outside of an act nothing is undone with it.
      if (!(error instanceof StatementsForgotten) || this.#transaction !== 'none') throw error;
      return this.#askAll(statements);
    }
  }

  /** What the last of them does. */
  async #askAll(statements: readonly Statement[]): Promise<Answer> {
    const { given, failure } = await (await this.#take()).ask(statements);
    if (failure !== null) throw failure;
    return given.at(-1) as Answer;
  }

  async #run(text: string): Promise<Answer> {
    await this.#flush();
    return (await this.#take()).run(text);
  }

  async #flush(): Promise<void> {
    const statements = this.#waited();
    if (statements.length > 0) await this.#askAll(statements);
  }

  #waited(): Statement[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (this.#transaction === 'waiting') this.#transaction = 'begun';
    return waiting;
  }
}

class BeginningDriver implements Driver {
  readonly #pool: PostgresPool;
  readonly #first: readonly Statement[];
  readonly #isLater: boolean;
  readonly #lookUp: LookUp | null;
  constructor(pool: PostgresPool, { first, isLater, looksUp }: Beginning) {
    this.#pool = pool;
    this.#first = first;
    this.#isLater = isLater;
    this.#lookUp = looksUp ? lookingUp(pool) : null;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#pool, this.#lookUp);
  }
  async beginTransaction(connection: Connection, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    if (isolationLevel === undefined && accessMode === undefined) return connection.begin(this.#first, this.#isLater);
    const isolation = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    return connection.beginAs(`start transaction${isolation} ${accessMode ?? ''}`);
  }
  commitTransaction(connection: Connection): Promise<void> {
    return connection.commit();
  }
  rollbackTransaction(connection: Connection): Promise<void> {
    return connection.rollback();
  }
  releaseConnection(connection: Connection): Promise<void> {
    return connection.release();
  }
  destroy(): Promise<void> {
    return this.#pool.end();
  }
}

interface Beginning {
  readonly first: readonly Statement[];
  readonly isLater: boolean;
  readonly looksUp: boolean;
}

class BeginningDialect extends PostgresDialect {
  readonly #driver: () => Driver;
  constructor(driver: () => Driver) {
    // Of its own parts those that ask the server are replaced.
    super({ pool: () => Promise.reject(new Error('The driver is another one')) });
    this.#driver = driver;
  }
  override createDriver(): Driver {
    return this.#driver();
  }
}

/** SQLite knows lists without members, PostgreSQL does not: nothing is in them. */
const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });

/** Each without values and a `;` between them. */
export const statementsOf = (texts: string): readonly Statement[] =>
  texts
    .split('; ')
    .filter((text) => text !== '')
    .map((text) => ({ text, values: [], name: nameOfText(text), isSilent: true }));

interface How {
  /** What every transaction begins with comes with its first own statement, else before anything is done. */
  readonly isLater?: boolean;
  /** What is looked up at the same moment is asked for together. */
  readonly looksUp?: boolean;
}

/** @param first see `statementsOf` */
export function kyselyOn<Schema = Tables>(
  pool: PostgresPool,
  first: string,
  { isLater = false, looksUp = false }: How = {},
): Kysely<Schema> {
  const beginning = { first: statementsOf(first), isLater, looksUp };
  const dialect = new BeginningDialect(() => new BeginningDriver(pool, beginning));
  return new Kysely<Schema>({ dialect, plugins: [emptyLists] });
}

/** For transactions that somebody else begins and ends: the query builder within one, asking as it is told. */
export function transactions(): (connection: DatabaseConnection) => Transaction<Tables> {
  const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('It has a connection')) });
  const driver = dialect.createDriver();
  const [compiler, adapter, plugins] = [dialect.createQueryCompiler(), dialect.createAdapter(), [emptyLists]];
  return (connection) => {
    const provider: ConnectionProvider = { provideConnection: (consumer) => consumer(connection) };
    const executor = new DefaultQueryExecutor(compiler, adapter, provider, plugins);
    return new Transaction<Tables>({ config: { dialect, plugins }, dialect, driver, executor });
  };
}
