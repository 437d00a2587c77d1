import { PostgresAdapter } from 'kysely';
import type { Transact } from './database.ts';
import type { Dialect } from './schema/migrate.ts';

export const dialectOf = (db: Pick<Transact, 'getExecutor'>): Dialect =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
