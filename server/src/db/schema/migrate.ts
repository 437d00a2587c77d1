/**
 * Forward-only migrations, each in its own transaction with a stored checksum. Other histories are not opened
 * (docs/spec/threats.md §5.2.5).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { sha256Hex } from '../../platform/ids-and-digests.ts';
import { isCrossed, isDamage, isLockTimeout, storageFailure } from '../failures.ts';
import type { Tables } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

/** `both` runs first; INT and BYTES stand for each database's type. */
export interface Migration {
  readonly name: string;
  readonly both: readonly string[];
  readonly sqlite?: readonly string[];
  readonly postgres?: readonly string[];
}

/** The message is for the operator. */
export class SchemaError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'SchemaError';
  }
}

interface Ledger extends Tables {
  schema_migrations: { name: string; checksum: string; applied_at: number };
}

function statementsFor(dialect: Dialect, migration: Migration): string[] {
  const all = [...migration.both.map((statement) => typedFor(dialect, statement)), ...(migration[dialect] ?? [])];
  return dialect === 'sqlite' ? all : all.map(collated);
}

function typedFor(dialect: Dialect, statement: string): string {
  if (dialect === 'postgres') return statement.replaceAll(/\bINT\b/g, 'bigint').replaceAll(/\bBYTES\b/g, 'bytea');
  const typed = statement.replaceAll(/\bINT\b/g, 'integer').replaceAll(/\bBYTES\b/g, 'blob');
  return statement.startsWith('create table') ? `${typed} strict` : typed;
}

/** By code points, as on SQLite, in any locale. */
const collated = (statement: string): string =>
  /^(create|alter) table/.test(statement) ? statement.replaceAll(/\btext\b/g, 'text collate "C"') : statement;

function checksumOf(statements: readonly string[]): string {
  return sha256Hex(statements.join(';\n'));
}

/** Advisory lock, see `locks.ts`. */
const MIGRATIONS = 0x5042_0002;

/**
 * Locks out other migrating processes until the transaction ends; waits up to ten minutes. Table locks wait
 * less than the deadlock timeout of 1 s: see `retried`.
 */
export async function lockMigrations(tx: Transaction<Tables>): Promise<void> {
  const lock = `set local lock_timeout = '10min'; select pg_advisory_xact_lock(${MIGRATIONS})`;
  await sql.raw(`${lock}; set local lock_timeout = '500ms'`).execute(tx);
}

/** Applies the missing migrations. @returns how many ran */
export async function migrate(
  db: Kysely<Tables>,
  dialect: Dialect,
  migrations: readonly Migration[],
  now: number,
): Promise<number> {
  for (let count = 0; ; count += 1) {
    const next = () => db.transaction().execute((tx) => applyNext(tx, dialect, migrations, now));
    if (!(await retried(next))) return count;
  }
}

/** About five minutes. */
const ATTEMPTS = 500;

/**
 * Retries while a table is locked, before PostgreSQL's deadlock check could fail a request of a running
 * server.
 */
async function retried<T>(apply: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply();
    } catch (error) {
      if (!(isLockTimeout(error) || isCrossed(error)) || attempt === ATTEMPTS) throw error;
      await wait(100);
    }
  }
}

/** Number of applied migrations. @throws SchemaError for an unknown history */
export async function countApplied(
  db: Kysely<Tables>,
  dialect: Dialect,
  migrations: readonly Migration[],
): Promise<number> {
  const applied = await appliedIn(db);
  refuseStrangePast(applied, dialect, migrations);
  return applied.length;
}

/** @returns false if there is no next migration */
async function applyNext(
  tx: Transaction<Tables>,
  dialect: Dialect,
  migrations: readonly Migration[],
  now: number,
): Promise<boolean> {
  if (dialect === 'postgres') await lockMigrations(tx);
  const integer = dialect === 'sqlite' ? 'integer' : 'bigint';
  const ledger = `create table if not exists schema_migrations
    (name text primary key, checksum text not null, applied_at ${integer} not null)`;
  await sql.raw(dialect === 'sqlite' ? ledger : collated(ledger)).execute(tx);
  const applied = await tx
    .withTables<Pick<Ledger, 'schema_migrations'>>()
    .selectFrom('schema_migrations')
    .selectAll()
    .orderBy('name')
    .execute();
  refuseStrangePast(applied, dialect, migrations);
  const next = migrations[applied.length];
  if (next === undefined) return false;
  await applyOne(tx, dialect, next, now);
  return true;
}

/** @throws SchemaError unless every migration has run */
export async function refuseOtherSchema(
  db: Kysely<Tables>,
  dialect: Dialect,
  migrations: readonly Migration[],
): Promise<void> {
  if ((await countApplied(db, dialect, migrations)) < migrations.length) {
    throw new SchemaError('The database was made by an older version of the program: run migrate first.');
  }
}

async function appliedIn(db: Kysely<Tables>): Promise<{ name: string; checksum: string }[]> {
  const ledger = db.withTables<Pick<Ledger, 'schema_migrations'>>();
  return ledger
    .selectFrom('schema_migrations')
    .selectAll()
    .orderBy('name')
    .execute()
    .catch((error: unknown) => {
      if (storageFailure(error) !== null || isDamage(error)) throw error;
      return [];
    });
}

function refuseStrangePast(
  applied: readonly { name: string; checksum: string }[],
  dialect: Dialect,
  migrations: readonly Migration[],
): void {
  for (const [index, row] of applied.entries()) {
    const known = migrations[index];
    if (known === undefined) {
      throw new SchemaError(`The database was made by a newer version of the program (it knows '${row.name}').`);
    }
    if (known.name !== row.name || checksumOf(statementsFor(dialect, known)) !== row.checksum) {
      throw new SchemaError(`The database's migration '${row.name}' is not the one that this program knows.`);
    }
  }
}

async function applyOne(tx: Transaction<Tables>, dialect: Dialect, migration: Migration, now: number): Promise<void> {
  const statements = statementsFor(dialect, migration);
  for (const statement of statements) await sql.raw(statement).execute(tx);
  await tx
    .withTables<Pick<Ledger, 'schema_migrations'>>()
    .insertInto('schema_migrations')
    .values({ name: migration.name, checksum: checksumOf(statements), applied_at: now })
    .execute();
}
