/** The database behind a query builder. */
import { PostgresAdapter } from 'kysely';
import type { Transact } from './database.ts';
import type { Dialect } from './migrate.ts';

export const dialectOf = (db: Pick<Transact, 'getExecutor'>): Dialect =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
