/** Another instance on the same database, as behind a load balancer. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../app/app.ts';
import { readConfig } from '../app/config.ts';
import { openDeps } from '../app/deps.ts';
import type { Deps } from '../http/context.ts';
import { createLog } from '../platform/log.ts';
import type { Migration } from '../db/schema/migrate.ts';
import type { TestApp } from './test-app.ts';
import type { TestClock } from './test-clock.ts';
import { TestClient } from './test-client.ts';
import { TEST_ACCOUNT_PASSWORDS, TEST_KDF } from './test-person.ts';

export interface SecondInstance {
  readonly deps: Deps;
  /** The same cookies at this instance; a guest without `client`. */
  at(client?: TestClient): TestClient;
  stop(): Promise<void>;
}

interface Options {
  /** A different clock. */
  readonly clock?: TestClock;
  /** Migrations of a newer version. */
  readonly migrations?: readonly Migration[];
}

/** @throws Error on SQLite, which has one process: the second instance would have a database of its own */
export async function startSecond(one: TestApp, options: Options = {}): Promise<SecondInstance> {
  if (one.deps.db.dialect !== 'postgres') throw new Error('Two instances need PostgreSQL');
  const dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-'));
  const config = readConfig({ ...one.environment, DATA_DIR: dataDir, LOG_LEVEL: 'silent', CONFIRM_UPGRADE: 'yes' });
  const deps = await openDeps(config, createLog('silent'), {
    clock: one.clock,
    kdf: TEST_KDF,
    accountPasswords: TEST_ACCOUNT_PASSWORDS,
    ...options,
  });
  const app = await createApp(deps, { webDir: join(dataDir, 'no-client') });
  return {
    deps,
    at(client) {
      const there = new TestClient(() => app);
      for (const [name, value] of client?.cookies ?? []) there.cookies.set(name, value);
      return there;
    },
    async stop() {
      await app.close();
      await deps.db.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Null on SQLite. For tests that also run there, on one instance. */
export const startSecondIfPossible = async (one: TestApp): Promise<SecondInstance | null> =>
  one.deps.db.dialect === 'postgres' ? startSecond(one) : null;
