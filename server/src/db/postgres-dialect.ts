/** The query builder on PostgreSQL, with transactions that begin with what the kind of act needs. */
import {
  CompiledQuery,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  replaceWithNoncontingentExpression,
} from 'kysely';
import type { DatabaseConnection, Driver, PostgresDialectConfig, PostgresPool, TransactionSettings } from 'kysely';
import type { Tables } from './schema.ts';

class BeginningDriver extends PostgresDriver {
  readonly #first: string;
  constructor(config: PostgresDialectConfig, first: string) {
    super(config);
    this.#first = first;
  }
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined) {
      return super.beginTransaction(connection, settings);
    }
    try {
      // One way to the server and back.
      await connection.executeQuery(CompiledQuery.raw(`begin; ${this.#first}`));
    } catch (error) {
      // It has begun, and failed: nobody else would end it.
      await this.rollbackTransaction(connection).catch(() => {});
      throw error;
    }
  }
}

class BeginningDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #first: string;
  constructor(pool: PostgresPool, first: string) {
    super({ pool });
    this.#config = { pool };
    this.#first = first;
  }
  override createDriver(): Driver {
    return new BeginningDriver(this.#config, this.#first);
  }
}

/** SQLite knows lists without members, PostgreSQL does not: nothing is in them. */
const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });

/** `first`: statements with which every transaction begins. */
export function kyselyOn<Schema = Tables>(pool: PostgresPool, first: string): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new BeginningDialect(pool, first), plugins: [emptyLists] });
}
