import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_ARGUMENTS } from './e2e/testing/browser/chromium-arguments.ts';
import { LongFirst } from './server/src/testing/long-first.ts';
import { postgresPrograms } from './server/src/testing/postgres-cluster.ts';
import { LONG_ON_POSTGRES, testsOfTheEngine } from './server/src/testing/postgres-tests.ts';

const chromium = playwright({
  launchOptions: {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: CHROMIUM_ARGUMENTS,
  },
});

/**
 * The files of one worker share the modules that they import: loading them anew for each file is nearly half of the work. No module of the core or the server
 * keeps anything of one for the next; of the web client some do (notices, the session), since a page has one of each: its own are loaded anew for each file.
 */
const TOGETHER = { isolate: false } as const;

/** What is waited for comes at once on a quiet machine; a busy one is no failure. */
const PATIENT = { expect: { poll: { timeout: 10_000 } } } as const;

/** The folders of servers that tests start. */
const IN_MEMORY = 'server/src/testing/memory-run.ts';

const READY_KEYS = 'core/src/testing/ready-rsa-keys.ts';
const OF_SERVER = [READY_KEYS, 'server/src/testing/people-anew.ts'];

/** Tests of the web client that need the page of a browser, to draw in or to be asked. The others run without, in a third of the time. */
const PAGES = ['{ui,web}/src/**/*.test.tsx', 'web/src/**/*.page.test.ts', 'web/src/**/*.page.node.test.ts'];

/** Files side by side. Two cores decide a landing; a third file uses them while the others wait for a disk or a clock. */
const SIDE_BY_SIDE = 3;
/** Each journey has a browser, which uses a core itself. */
const JOURNEYS_SIDE_BY_SIDE = 2;

/** Everything that calls WebCrypto, links, whose URL parser is the browser's own, and stores: they run in a real browser. */
const IN_CHROMIUM = [
  'client/src/browser/stores.test.ts',
  'core/src/{crypto,domain/keyring}/**/*.test.ts',
  'core/src/domain/fields/{field,link}.test.ts',
  'core/src/domain/groups/{group-keys,rotation,secret-cache}.test.ts',
  'core/src/domain/import/import-batch.test.ts',
  'core/src/domain/rosters/roster.test.ts',
  'core/src/domain/sites/*.test.ts',
];

/**
 * Those that Node repeats in the long tests alone: the client's and server's tests use the same functions in Node all the time. The vectors and the rules of sites run in both.
 */
const CORE_IN_CHROMIUM_ALONE = IN_CHROMIUM.map((path) =>
  path.replace('*.test.ts', '!(*.node|pb1-vectors|match-site|site-rules).test.ts'),
);

/** `npm test -- --long` runs them, too. */
const isLong = process.env['TEST_LONG'] !== undefined;
const exclude = isLong ? [] : ['**/*.long.test.ts', '**/*.long.e2e.ts'];

const hasPostgres = postgresPrograms() !== null;
/** Tests with a database run on both engines; some of them on PostgreSQL with `npm test -- --long` alone. */
const onPostgres = hasPostgres ? testsOfTheEngine() : ['server/src/testing/absent.postgres.test.ts'];

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      // Run by `npm test -- --long` alone: they kill, fill and damage for minutes.
      {
        test: {
          name: 'faults',
          include: ['faults/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'core',
          setupFiles: [READY_KEYS],
          include: ['core/src/**/*.test.ts'],
          exclude: isLong ? [] : [...exclude, ...CORE_IN_CHROMIUM_ALONE],
          ...TOGETHER,
          maxWorkers: SIDE_BY_SIDE,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Dependencies are listed, because vite would reload the page when it finds a new one during a test.
        assetsInclude: ['**/*.wasm'],
        optimizeDeps: {
          include: ['argon2id/lib/setup.js', 'fast-check', 'idb', 'otpauth', 'saxes', 'tldts', 'uuid', 'zod/mini'],
        },
        test: {
          name: 'core-chromium',
          include: IN_CHROMIUM,
          exclude: ['**/*.node.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: chromium,
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'server',
          setupFiles: OF_SERVER,
          include: ['server/src/**/*.test.ts'],
          exclude: [...exclude, '**/*.postgres.test.ts'],
          ...TOGETHER,
          ...PATIENT,
          globalSetup: [IN_MEMORY],
          maxWorkers: SIDE_BY_SIDE,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server-postgres',
          setupFiles: OF_SERVER,
          include: onPostgres,
          exclude: [
            ...exclude,
            ...(hasPostgres ? ['**/absent.postgres.test.ts'] : []),
            ...(isLong ? [] : LONG_ON_POSTGRES),
          ],
          env: { TEST_ENGINE: 'postgres' },
          ...TOGETHER,
          ...PATIENT,
          globalSetup: [IN_MEMORY, ...(hasPostgres ? ['server/src/testing/postgres-run.ts'] : [])],
          maxWorkers: SIDE_BY_SIDE,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'client',
          include: ['client/src/**/*.test.ts'],
          exclude,
          ...TOGETHER,
          ...PATIENT,
          globalSetup: [IN_MEMORY],
          setupFiles: [READY_KEYS, 'client/src/testing/modules-anew.ts'],
          maxWorkers: SIDE_BY_SIDE,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'cli',
          include: ['cli/src/**/*.test.ts'],
          exclude,
          ...TOGETHER,
          ...PATIENT,
          globalSetup: [IN_MEMORY, 'cli/src/testing/build-once.ts'],
          setupFiles: [READY_KEYS],
          maxWorkers: SIDE_BY_SIDE,
          // Each step of a story starts a process.
          testTimeout: 240_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'extension',
          include: ['extension/src/**/*.test.{ts,tsx}'],
          exclude,
          ...TOGETHER,
          ...PATIENT,
          globalSetup: [IN_MEMORY],
          setupFiles: [READY_KEYS],
          maxWorkers: SIDE_BY_SIDE,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['{ui,web}/src/**/*.test.ts'],
          exclude: PAGES,
          ...TOGETHER,
          ...PATIENT,
          globalSetup: [IN_MEMORY],
          setupFiles: [READY_KEYS, 'client/src/testing/modules-anew.ts'],
          maxWorkers: SIDE_BY_SIDE,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'web-pages',
          include: PAGES,
          environment: 'happy-dom',
          pool: 'threads',
          ...TOGETHER,
          setupFiles: ['client/src/testing/modules-anew.ts', 'web/src/testing/page-anew.ts'],
          ...PATIENT,
          globalSetup: [IN_MEMORY],
          maxWorkers: SIDE_BY_SIDE,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          exclude,
          setupFiles: [READY_KEYS, 'e2e/testing/browser/on-failure.ts'],
          // And one browser: `sharedBrowser`.
          ...TOGETHER,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          ...PATIENT,
          maxWorkers: JOURNEYS_SIDE_BY_SIDE,
        },
      },
    ],
  },
});
