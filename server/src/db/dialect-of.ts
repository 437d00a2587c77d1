/** Which engine a query is for, by the query builder that it is asked of. */
import { PostgresAdapter } from 'kysely';
import type { Transact } from './database.ts';
import type { Dialect } from './migrate.ts';

export const dialectOf = (db: Pick<Transact, 'getExecutor'>): Dialect =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
