/** A PostgreSQL database is migrated only after a confirmation that there is a backup (T153). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../commands/run.ts';
import { ConfigError, readConfig } from '../app/config.ts';
import { openDatabase } from '../db/open.ts';
import { MIGRATIONS } from '../db/schema/migrations/index.ts';
import type { Tables } from '../db/schema/tables.ts';
import { openDeps } from '../app/deps.ts';
import { createLog } from '../platform/log.ts';
import { freshDatabase } from '../testing/test-database.ts';
import type { TestDatabase } from '../testing/test-database.ts';

const OLDER = MIGRATIONS.slice(0, -1);
const REFUSAL =
  'This version upgrades the tables of the PostgreSQL database: have its administrator make a backup (pg_dump), then start with CONFIRM_UPGRADE=yes or run `passwordbroker migrate --yes`. Nothing was changed.';

/** Without the columns that the last migration adds. */
const USER: Omit<Tables['users'], 'has_password' | 'must_link' | 'break_glass' | 'kind'> = {
  factor_state: 'none',
  factor_due_at: null,
  user_id: 'ada',
  name: 'ada',
  name_key: 'ada',
  email: 'ada@example.org',
  email_key: 'ada@example.org',
  password_hash: '',
  is_admin: 1,
  first_user: 1,
  epoch: 1,
  mp_exposed_at: null,
  must_rekey: 0,
  server_crypto_opt_out: 0,
  keyset_version: 1,
  disabled_at: null,
  is_auditor: 0,
  created_at: 1,
  updated_at: 1,
};

let dataDir: string;
let database: TestDatabase;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-upgrade-'));
  database = await freshDatabase('template0');
  const db = await open(OLDER);
  await db.transact((tx) =>
    tx
      .insertInto('users')
      .values(USER as Tables['users'])
      .execute(),
  );
  await db.close();
});
afterEach(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

const databaseUrl = () => database.environment['DATABASE_URL'] ?? '';
const open = (migrations = MIGRATIONS) => openDatabase({ dataDir, databaseUrl: databaseUrl(), now: 1, migrations });
const isUnchanged = async () => (await open(OLDER)).close();

/** Opens the database as the process does at its start. */
async function start(environment: Record<string, string> = {}): Promise<void> {
  const config = readConfig({ ...database.environment, DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...environment });
  const deps = await openDeps(config, createLog('silent'));
  await deps.db.close();
}

async function migrate(...options: readonly string[]) {
  const lines: string[] = [];
  const take = (line: string) => void lines.push(line);
  const secret = () => Promise.resolve('');
  const environment = { ...database.environment, DATA_DIR: dataDir };
  const code = await runCommandLine(['migrate', ...options], environment, {
    say: take,
    tell: take,
    secret,
    knownSecret: secret,
  });
  return { code, text: lines.join('\n') };
}

test('T153: a start without confirmation is refused and changes nothing; CONFIRM_UPGRADE=yes upgrades, and later starts need no confirmation', async () => {
  await expect(start()).rejects.toThrow(REFUSAL);
  await expect(start({ CONFIRM_UPGRADE: 'no' })).rejects.toThrow(REFUSAL);
  await isUnchanged();
  expect(() => readConfig({ CONFIRM_UPGRADE: 'maybe' })).toThrow(ConfigError);
  await start({ CONFIRM_UPGRADE: 'yes' });
  await start();
});

test('T153: the command migrate asks for --yes', async () => {
  expect(await migrate()).toEqual({ code: 1, text: REFUSAL });
  await isUnchanged();
  expect(await migrate('--yes')).toEqual({ code: 0, text: 'The database is up to date.' });
  expect(await migrate()).toEqual({ code: 0, text: 'The database is up to date.' });
});
