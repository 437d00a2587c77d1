/** The query builder on PostgreSQL, with transactions that begin with what the kind of act needs. */
import { HandleEmptyInListsPlugin, Kysely, PostgresDialect, replaceWithNoncontingentExpression } from 'kysely';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import { isLater, nameOf, nameOfText } from './kept-query.ts';
import { TransactionGone } from './kept-statement.ts';
import type { Statement } from './postgres-batch.ts';
import { StatementsForgotten } from './postgres-pool.ts';
import type { PostgresConnection, PostgresPool } from './postgres-pool.ts';
import type { Tables } from './schema.ts';

const BEGIN: Statement = { text: 'begin', values: [], name: 'begin' };
const COMMIT: Statement = { text: 'commit', values: [], name: 'commit' };
const COMMITTED = { command: 'COMMIT' };
const NOTHING = { rows: [] };
const COUNTED: ReadonlySet<string> = new Set(['UPDATE', 'DELETE', 'INSERT', 'MERGE']);

class Connection implements DatabaseConnection {
  readonly #connection: PostgresConnection;
  /** They go with the next statement. */
  #waiting: Statement[] = [];
  /** `waiting`: the server has not heard of the transaction yet. */
  #transaction: 'none' | 'waiting' | 'begun' = 'none';
  /** Of those that wait, so many begin it. */
  #first = 0;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql: text, parameters: values } = query;
    const name = nameOf(query);
    const statement = { text, values, ...(name === undefined ? {} : { name }) };
    if (isLater(query)) {
      if (this.#transaction === 'none') throw new Error('Nothing would come later: there is no act');
      this.#waiting.push(statement);
      return NOTHING;
    }
    const isOne = values.length > 0 || !text.includes(';');
    const { command, rowCount, rows } = await (isOne ? this.#ask(statement) : this.#run(text));
    // The rows are what the builder says of its query.
    const answer = { rows: rows as Row[] };
    return COUNTED.has(command) ? { ...answer, numAffectedRows: BigInt(rowCount) } : answer;
  }

  /** @param isLater with the first statement of the act; one that asks nothing begins nothing */
  async begin(first: readonly Statement[], isLater: boolean): Promise<void> {
    this.#waiting = [BEGIN, ...first];
    this.#first = this.#waiting.length;
    this.#transaction = 'waiting';
    if (isLater) return;
    try {
      await this.#flush();
    } catch (error) {
      // It has begun, and failed: nobody else would end it.
      await this.rollback().catch(() => {});
      throw error;
    }
  }

  /** Begins with the server's own words for it. */
  async beginAs(text: string): Promise<void> {
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
    if (isBegun) await this.#run('rollback');
  }

  release(): void {
    this.#connection.release();
  }

  streamQuery(): never {
    throw new Error('There are no cursors here');
  }

  async #ask(statement: Statement) {
    const statements = [...this.#taken(), statement];
    try {
      return await this.#connection.ask(statements);
    } catch (error) {
      // Outside of an act nothing is undone with it.
      if (!(error instanceof StatementsForgotten) || this.#transaction !== 'none') throw error;
      return this.#connection.ask(statements);
    }
  }

  async #run(text: string) {
    await this.#flush();
    return this.#connection.run(text);
  }

  async #flush(): Promise<void> {
    const statements = this.#taken();
    if (statements.length > 0) await this.#connection.ask(statements);
  }

  #taken(): Statement[] {
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
  constructor(pool: PostgresPool, { first, isLater }: Beginning) {
    this.#pool = pool;
    this.#first = first;
    this.#isLater = isLater;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<Connection> {
    return new Connection(await this.#pool.connect());
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
  async releaseConnection(connection: Connection): Promise<void> {
    connection.release();
  }
  destroy(): Promise<void> {
    return this.#pool.end();
  }
}

interface Beginning {
  readonly first: readonly Statement[];
  readonly isLater: boolean;
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

/**
 * `first`: statements with which every transaction begins, each without values and a `;` between them; with its first own statement where that `isLater`, else
 * before anything is done.
 */
export function kyselyOn<Schema = Tables>(
  pool: PostgresPool,
  first: string,
  { isLater = false }: { readonly isLater?: boolean } = {},
): Kysely<Schema> {
  const statements = first
    .split('; ')
    .filter((text) => text !== '')
    .map((text) => ({ text, values: [], name: nameOfText(text) }));
  const dialect = new BeginningDialect(() => new BeginningDriver(pool, { first: statements, isLater }));
  return new Kysely<Schema>({ dialect, plugins: [emptyLists] });
}
