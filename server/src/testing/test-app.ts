/**
 * The real server in the test process, on a new data folder. Only the clock, the cost of key derivations and
 * the log output are replaced.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import * as session from '@passwordbroker/core/contract/account/session';
import * as users from '@passwordbroker/core/contract/users/users';
import { createApp } from '../app/app.ts';
import { readConfig } from '../app/config.ts';
import { openDeps } from '../app/deps.ts';
import type { Deps } from '../http/context.ts';
import type { AccountPasswords } from '../platform/passwords/argon2.ts';
import { createLog } from '../platform/log.ts';
import { TestClient } from './test-client.ts';
import { databaseOf } from './test-database.ts';
import { testClock } from './test-clock.ts';
import type { TestClock } from './test-clock.ts';
import { TEST_ACCOUNT_PASSWORDS, TEST_KDF, TEST_WORK_FACTOR, testPerson } from './test-person.ts';
import type { TestPerson } from './test-person.ts';

/** A person who is signed in. */
export type SignedIn = TestClient & TestPerson;

export interface TestApp {
  readonly deps: Deps;
  readonly app: FastifyInstance;
  readonly clock: TestClock;
  readonly dataDir: string;
  /** Environment for another process on the same vault. */
  readonly environment: Readonly<Record<string, string>>;
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** A caller without an account. */
  guest(): TestClient;
  /**
   * Signs up the person of that name with client-made keys and signs in. The first one is site admin and
   * creates the others.
   */
  signUp(name: string): Promise<SignedIn>;
  /** Signs in again, with a new cookie jar. */
  signIn(person: TestPerson): Promise<SignedIn>;
  /** Listens on a free port and returns the origin. */
  listen(): Promise<string>;
  /** Stops the server and starts it again on the same data folder, with `more` variables until the next restart. */
  restart(more?: Readonly<Record<string, string>>): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

interface Options {
  /** Environment of the server, e.g. `{ SETUP_TOKEN: 'x' }`. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly webDir?: string;
  /** Parent of the data folder; by default the folder for temporary files. */
  readonly folder?: string;
  /** Cheap by default; tests of the real cost pass the product's ones. */
  readonly accountPasswords?: AccountPasswords;
  readonly kdf?: Kdf;
  /** Unix ms. Fixed by default; pass the present time if a real program checks it. */
  readonly start?: number;
}

export async function startTestApp({
  environment = {},
  webDir,
  folder = tmpdir(),
  accountPasswords = TEST_ACCOUNT_PASSWORDS,
  kdf = TEST_KDF,
  start,
}: Options = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(folder, 'passwordbroker-'));
  const database = await databaseOf(dataDir);
  const clock = testClock(start);
  const lines: string[] = [];
  const open = async (more: Readonly<Record<string, string>> = {}) => {
    const config = readConfig({ DATA_DIR: dataDir, ...database.environment, ...environment, ...more });
    const log = createLog(config.logLevel, { write: (line) => void lines.push(line) });
    const deps = await openDeps(config, log, {
      clock,
      kdf,
      accountPasswords,
      archiveWorkFactor: TEST_WORK_FACTOR,
      timeZone: 'UTC',
    });
    const app = await createApp(deps, { webDir: webDir ?? join(dataDir, 'no-client') });
    await app.ready();
    return { deps, app };
  };
  let running = await open();
  const close = async () => {
    await running.app.close();
    await running.deps.db.close();
  };
  const guest = () => new TestClient(() => running.app);
  let siteAdmin: SignedIn | null = null;

  const signIn = async (person: TestPerson): Promise<SignedIn> => {
    const client = guest();
    await client.call(session.login, { body: { email: person.email, password: person.password } });
    // A signed-in `person` has cookies too, which must not be copied.
    return Object.assign(client, await testPerson(person.name));
  };
  return {
    get deps() {
      return running.deps;
    },
    get app() {
      return running.app;
    },
    clock,
    dataDir,
    environment: { DATA_DIR: dataDir, ...database.environment },
    log: lines,
    guest,
    signIn,
    async signUp(name) {
      const person = await testPerson(name);
      const client = siteAdmin ?? guest();
      await client.call(users.register, { body: { user: signUpBody(person) } });
      if (siteAdmin !== null) return signIn(person);
      siteAdmin = Object.assign(client, person);
      return siteAdmin;
    },
    async listen() {
      await running.app.listen({ host: '127.0.0.1', port: 0 });
      const address = running.app.server.address();
      if (address === null || typeof address === 'string') throw new Error('The test server does not listen');
      return `http://127.0.0.1:${address.port}`;
    },
    async restart(more) {
      await close();
      running = await open(more);
    },
    async stop() {
      await close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Members of a sealed sign-up. */
export function signUpBody(person: TestPerson) {
  return {
    user_id: person.userId,
    username: person.name,
    email: person.email,
    password: person.password,
    password_confirmation: person.password,
    key_bundle: person.bundle,
    documents: person.documents,
  };
}
