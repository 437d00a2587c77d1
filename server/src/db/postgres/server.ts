/** Checks that a PostgreSQL server keeps what it has acknowledged and can be written to (docs/spec/threats.md §5.2.5). */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { SchemaError } from '../schema/migrate.ts';
import type { Tables } from '../schema/tables.ts';

const OLDEST = 150_000;

/** @throws SchemaError */
export async function refuseUnsafeServer(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{
    version: number;
    encoding: string;
    fsync: string;
    commit: string;
    standby: 0 | 1;
  }>`select current_setting('server_version_num')::bigint as version, current_setting('server_encoding') as encoding,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, pg_is_in_recovery() as standby`.execute(
    db,
  );
  const [server] = rows;
  if (server === undefined || server.version < OLDEST)
    throw new SchemaError('The database server is older than PostgreSQL 15.');
  if (server.encoding !== 'UTF8') throw new SchemaError('The database was not made with the encoding UTF8.');
  if (server.standby === 1) throw new SchemaError('The database server is a standby, which takes no writes.');
  if (server.fsync === 'off') {
    throw new SchemaError('The database server runs with fsync=off: it may lose what it has acknowledged.');
  }
  if (server.commit === 'off') {
    throw new SchemaError('The database runs with synchronous_commit=off: it may lose what it has acknowledged.');
  }
  if (!(await locksExclude(db))) {
    throw new SchemaError('The database server has no advisory locks, which the vault needs.');
  }
}

/** Whether one connection's lock excludes another. Some servers that speak the protocol ignore locks. */
async function locksExclude(db: Kysely<Tables>): Promise<boolean> {
  const take = sql<{
    taken: 0 | 1;
  }>`select pg_try_advisory_xact_lock(${Buffer.from(randomBytes(4)).readUInt32BE()}::bigint) as taken`;
  const takenBy = async (one: Kysely<Tables>) => (await take.execute(one)).rows[0]?.taken === 1;
  return db.transaction().execute(async (tx) => (await takenBy(tx)) && !(await takenBy(db)));
}
