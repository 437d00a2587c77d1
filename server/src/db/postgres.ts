/** The vault on a PostgreSQL server (15 or newer), shared by any number of processes (`docs/adr/0011-postgresql.md`). */
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { FIRST, joinIfFree, keep } from './act-locks.ts';
import { forgetForeignStamps } from './change-stamp.ts';
import type { Beside, Database, DatabaseToRead, Transact } from './database.ts';
import { isCrossed, isOvertaken } from './failures.ts';
import { SchemaError, countApplied, migrate, refuseOtherSchema } from './migrate.ts';
import type { Migration } from './migrate.ts';
import { Mutex } from './mutex.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { kyselyOn, statementsOf } from './postgres-dialect.ts';
import { CONNECT_WITHIN, openPool } from './postgres-pool.ts';
import { refuseUnsafeServer } from './postgres-server.ts';
import { Undone, sharingActs } from './postgres-sharing.ts';
import { RollBack } from './roll-back.ts';
import type { Tables } from './schema.ts';
import { openStoredBodies } from './stored-bodies.ts';
import { indexTrigrams } from './trigram-index.ts';

interface OpenOptions {
  readonly address: PostgresAddress;
  readonly url: string;
  readonly now: number;
  readonly migrations: readonly Migration[];
  /** A running server's schema is its own. */
  readonly beside: boolean;
  /** A backup is confirmed: an upgrade may begin. */
  readonly confirmUpgrade: boolean;
}

/** Connects, brings the schema up to date. Throws `SchemaError` when server or schema are not for us, `DatabaseAway` when nobody answers. */
export async function openPostgres(options: OpenOptions): Promise<Database> {
  const { address, url, migrations, now, beside, confirmUpgrade } = options;
  await prepare(address, async (db) => {
    await refuseUnsafeServer(db);
    if (beside) return refuseOtherSchema(db, 'postgres', migrations);
    if (!confirmUpgrade) await refuseUnconfirmedUpgrade(db, migrations);
    await migrate(db, 'postgres', migrations, now);
    await indexTrigrams(db);
    await forgetForeignStamps(db);
  });
  return connected(address, url);
}

/**
 * Requires a confirmed backup before an upgrade, as we cannot copy the data of a PostgreSQL server.
 * Not needed without users: then another instance may be creating the tables.
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

/** To look at it only. */
export async function openPostgresToRead(
  address: PostgresAddress,
  migrations: readonly Migration[],
): Promise<DatabaseToRead> {
  await prepare(address, (db) => refuseOtherSchema(db, 'postgres', migrations));
  const read = kyselyOn(openPool(address, { max: 2, isReadOnly: true, isUnhurried: true }), FIRST.free);
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

/** Connections that may take their time, for what comes before everything else. */
async function prepare(address: PostgresAddress, work: (db: Kysely<Tables>) => Promise<unknown>): Promise<void> {
  const db = kyselyOn(openPool(address, { max: 2, isUnhurried: true }), FIRST.migrating);
  try {
    await work(db);
  } catch (error) {
    throw asSchemaError(error);
  } finally {
    await db.destroy();
  }
}

/** What an operator can put right is told in one sentence, without the address: it holds a password. */
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

/** Error codes of OpenSSL and Node for certificates that they do not accept. */
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

/** Behind acts that hear nothing from the server nobody waits longer than they do (threats R36). */
const PATIENCE = {
  ms: 10_500,
  end: () => Object.assign(new Error('Too many acts wait for the database.'), { code: LOCK_NOT_AVAILABLE }),
};
const LOCK_NOT_AVAILABLE = '55P03';

function connected(address: PostgresAddress, url: string): Database {
  const max = Math.max(1, Math.floor(address.connections / 2));
  const reading = openPool(address, { max, isReadOnly: true });
  const writing = openPool(address, { max });
  const bodies = openStoredBodies(address);
  const read = kyselyOn(reading, FIRST.beside, { looksUp: true });
  const kinds = {
    alone: kyselyOn(writing, FIRST.alone),
    beside: kyselyOn(writing, FIRST.beside, { isLater: true }),
    note: kyselyOn(writing, FIRST.note, { isLater: true }),
    noteIfFree: kyselyOn(writing, FIRST.noteIfFree),
    exclusive: kyselyOn(writing, FIRST.exclusive),
  };
  // Of those that have to be alone one waits for the lock, the others for it: waiting takes no connections.
  const turn = new Mutex();
  const alone = <T>(work: (tx: Transact) => Promise<T>) =>
    turn.run(() => repeated(() => kinds.alone.transaction().execute(work)), PATIENCE);
  const sharing = sharingActs(writing, statementsOf(FIRST.beside), {
    lineMs: CONNECT_WITHIN,
    idleMs: PATIENCE.ms,
    end: PATIENCE.end,
  });
  const beside = <T>(work: (tx: Transact) => Promise<T>, { keeps }: Beside = {}): Promise<T> => {
    if (keeps === undefined) return kinds.beside.transaction().execute(work);
    return sharing.run(keeps, work).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
      return kinds.beside.transaction().execute(async (tx) => {
        await keep(tx, keeps);
        return work(tx);
      });
    });
  };
  return {
    dialect: 'postgres',
    read,
    path: url,
    bodies,
    transact: alone,
    transactBeside: (work, how) =>
      beside(work, how).catch((error: unknown) => {
        if (!isOvertaken(error)) throw error;
        return alone(work);
      }),
    note: (work) => repeated(() => kinds.note.transaction().execute(work)),
    noteIfFree: (work) =>
      repeated(() => kinds.noteIfFree.transaction().execute(async (tx) => ((await joinIfFree(tx)) ? work(tx) : null))),
    exclusive: (work) => turn.run(() => kinds.exclusive.transaction().execute(() => work())),
    // Other connections write as they like.
    lendWriter: (work) => work(),
    async probe() {
      await read.selectFrom('site_settings').select('name').limit(1).execute();
      await kinds.beside
        .transaction()
        .execute(async (tx) => {
          await sql`insert into leases (name, owner, heartbeat, due_at) values (${crypto.randomUUID()}, null, 0, 0)`.execute(
            tx,
          );
          throw new RollBack();
        })
        .catch((error: unknown) => {
          if (!(error instanceof RollBack)) throw error;
        });
    },
    async close() {
      await turn.run(async () => {
        await bodies.close();
        await reading.end();
        await writing.end();
      });
    },
  };
}

/** Done again when another act came across it: it was undone as a whole, so nobody has heard of it. */
async function repeated<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (!isCrossed(error) || attempt === ATTEMPTS) throw error;
      const [chance = 0] = randomBytes(1);
      await wait((chance / 256) * 20 * 2 ** attempt);
    }
  }
}
