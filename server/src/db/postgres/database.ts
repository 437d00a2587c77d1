/** PostgreSQL (15 or newer), shared by several processes (ADR 11). */
import { setTimeout as wait } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { FIRST, tryLockVaultShared } from '../locks.ts';
import { forgetForeignStamps } from '../change-stamp.ts';
import { type Database, type DatabaseToRead, type Transact, RollBack } from '../database.ts';
import { isCrossed, isOvertaken } from '../failures.ts';
import { SchemaError, countApplied, migrate, refuseOtherSchema, type Migration } from '../schema/migrate.ts';
import { Mutex } from '../mutex.ts';
import type { PostgresAddress } from './address.ts';
import { openQueries } from './pool.ts';
import type { Tables } from '../schema/tables.ts';
import { openStoredBodies } from '../bodies/stored-bodies.ts';
import { indexTrigrams } from '../text-search/trigram-index.ts';
import type { Snapshot } from '../snapshot/source.ts';

interface OpenOptions {
  readonly address: PostgresAddress;
  readonly url: string;
  readonly now: number;
  readonly migrations: readonly Migration[];
  /** The schema is not changed. */
  readonly isSecondProcess: boolean;
  /** A backup exists: the schema may be upgraded. */
  readonly confirmUpgrade: boolean;
}

/** Connects and migrates. @throws SchemaError if server or schema are unusable */
export async function openPostgres(options: OpenOptions): Promise<Database> {
  const { address, url, migrations, now, isSecondProcess, confirmUpgrade } = options;
  await prepare(address, async (db) => {
    await refuseUnsafeServer(db);
    if (isSecondProcess) return refuseOtherSchema(db, 'postgres', migrations);
    if (!confirmUpgrade) await refuseUnconfirmedUpgrade(db, migrations);
    await migrate(db, 'postgres', migrations, now);
    await indexTrigrams(db);
    await forgetForeignStamps(db);
  });
  return connected(address, url);
}

/**
 * Requires a backup before an upgrade: we cannot copy a PostgreSQL server. Without users another instance may
 * be creating the tables.
 * @throws SchemaError
 */
async function refuseUnconfirmedUpgrade(db: Kysely<Tables>, migrations: readonly Migration[]): Promise<void> {
  const applied = await countApplied(db, 'postgres', migrations);
  if (applied === 0 || applied === migrations.length) return;
  if ((await db.selectFrom('users').select('user_id').limit(1).execute()).length === 0) return;
  throw new SchemaError(
    'This version upgrades the tables of the PostgreSQL database: have its administrator make a backup (pg_dump), then start with CONFIRM_UPGRADE=yes or run `passwordbroker migrate --yes`. Nothing was changed.',
  );
}

export async function openPostgresToRead(
  address: PostgresAddress,
  migrations: readonly Migration[],
): Promise<DatabaseToRead> {
  await prepare(address, (db) => refuseOtherSchema(db, 'postgres', migrations));
  const read = openQueries(address, { max: 2, isReadOnly: true, isUnlimited: true });
  const bodies = openStoredBodies(address);
  return {
    dialect: 'postgres',
    read,
    bodies,
    async close() {
      await bodies.close();
      await read.destroy();
    },
  };
}

/** Runs `work` without timeouts. @throws SchemaError */
async function prepare(address: PostgresAddress, work: (db: Kysely<Tables>) => Promise<unknown>): Promise<void> {
  const db = openQueries(address, { max: 2, isUnlimited: true });
  try {
    await work(db);
  } catch (error) {
    throw asSchemaError(error);
  } finally {
    await db.destroy();
  }
}

/** For the operator, without the URL, which has a password. */
function asSchemaError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case '08006':
      return new SchemaError(tlsProblemOf(error) ?? 'The database server does not answer.');
    case '28P01':
    case '28000':
      return new SchemaError('The database server refuses the name or the password.');
    case '3D000':
      return new SchemaError('The database does not exist on the server.');
    case '42501':
      return new SchemaError('The account may not create tables in its database.');
    default:
      return error;
  }
}

/** Codes of OpenSSL and Node. */
const REFUSED_CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED/;

function tlsProblemOf(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return null;
  if (cause.message === 'The server does not support SSL connections') {
    return 'The database server offers no TLS, which sslmode demands.';
  }
  const code = 'code' in cause ? String(cause.code) : '';
  if (!REFUSED_CERTIFICATE.test(code)) return null;
  return `The certificate of the database server is not accepted (${code}).`;
}

const ATTEMPTS = 4;

/** Longest wait for an exclusive transaction. */
const QUEUE = {
  ms: 10_500,
  end: () => Object.assign(new Error('Too many transactions wait for the vault.'), { code: LOCK_NOT_AVAILABLE }),
};
const LOCK_NOT_AVAILABLE = '55P03';

function connected(address: PostgresAddress, url: string): Database {
  const max = Math.max(1, Math.floor(address.connections / 2));
  const read = openQueries(address, { max, isReadOnly: true });
  const write = openQueries(address, { max });
  const bodies = openStoredBodies(address);
  const begin = <T>(first: string, work: (tx: Transact) => Promise<T>): Promise<T> =>
    write.transaction().execute(async (tx) => {
      await sql.raw(first).execute(tx);
      return work(tx);
    });
  // One waits in the database, the others here without a connection.
  const turn = new Mutex();
  const alone = <T>(work: (tx: Transact) => Promise<T>) =>
    turn.run(() => repeated(() => begin(FIRST.alone, work)), QUEUE);
  return {
    dialect: 'postgres',
    read,
    path: url,
    bodies,
    transact: alone,
    transactBeside: (work) =>
      begin(FIRST.beside, work).catch((error: unknown) => {
        if (!isOvertaken(error)) throw error;
        return alone(work);
      }),
    transactIfFree: (work) =>
      repeated(() => write.transaction().execute(async (tx) => ((await tryLockVaultShared(tx)) ? work(tx) : null))),
    exclusive: (work) => turn.run(() => begin(FIRST.exclusive, work)),
    lendWriter: (work) => work(),
    async probe() {
      await read.selectFrom('site_settings').select('name').limit(1).execute();
      const row = { name: crypto.randomUUID(), owner: null, heartbeat: 0, due_at: 0 };
      await begin(FIRST.beside, async (tx) => {
        await tx.insertInto('leases').values(row).execute();
        throw new RollBack();
      }).catch((error: unknown) => {
        if (!(error instanceof RollBack)) throw error;
      });
    },
    async close() {
      await turn.run(async () => {
        await bodies.close();
        await read.destroy();
        await write.destroy();
      });
    },
  };
}

async function repeated<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!isCrossed(error) || attempt === ATTEMPTS) throw error;
      const [chance = 0] = randomBytes(1);
      await wait((chance / 256) * 20 * 2 ** attempt);
    }
  }
}

/** `server_version_num`. */
const OLDEST = 150_000;

/**
 * Requires a writable server that keeps what it acknowledges (docs/spec/threats.md §5.2.5).
 * @throws SchemaError
 */
async function refuseUnsafeServer(db: Kysely<Tables>): Promise<void> {
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

/** Some compatible servers ignore locks. */
async function locksExclude(db: Kysely<Tables>): Promise<boolean> {
  const take = sql<{
    taken: 0 | 1;
  }>`select pg_try_advisory_xact_lock(${Buffer.from(randomBytes(4)).readUInt32BE()}::bigint) as taken`;
  const takenBy = async (one: Kysely<Tables>) => (await take.execute(one)).rows[0]?.taken === 1;
  return db.transaction().execute(async (tx) => (await takenBy(tx)) && !(await takenBy(db)));
}

/** Opens a read-only snapshot without timeouts. */
export async function openStill(address: PostgresAddress): Promise<Snapshot> {
  const db = openQueries(address, { max: 1, isReadOnly: true, isUnlimited: true });
  const read = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
    .catch(async (error: unknown) => {
      await db.destroy();
      throw error;
    });
  await read.selectFrom('site_settings').select('name').limit(1).execute();
  return {
    read,
    async close() {
      await read.rollback().execute();
      await db.destroy();
    },
  };
}
