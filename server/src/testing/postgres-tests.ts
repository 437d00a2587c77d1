/** Which tests of the server also run on PostgreSQL. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const SERVER = 'server/src';
/** The only module that knows the engine of a run and its server; `postgres-tests.test.ts` checks this. */
const KNOWS_ENGINE = 'server/src/testing/test-database.ts';
/**
 * Tests of sockets, bodies and forms, which fail or succeed before any SQL statement, so they run on SQLite
 * only.
 */
export const ON_SQLITE_ALONE: readonly string[] = [
  'authorisation/forms',
  'commands/verify-web.long',
  'hostile/event-loop',
  'hostile/large-bodies.long',
  'hostile/wire',
  'http/body/body',
  'http/connection',
  'http/connection-limits',
  'http/answer/headers',
  'http/body/large-body',
  'http/other-methods',
  'http/pipelining',
  'http/answer/problem-answer',
  'http/body/wrong-types',
  'system/left-bodies',
].map((name) => `${SERVER}/${name}.test.ts`);

/**
 * Tests that run on PostgreSQL only with `npm run test:long`: they check rules, permissions and files with
 * statements that other tests run on both engines.
 */
export const LONG_ON_POSTGRES: readonly string[] = [
  'access/preview',
  'accounts/**',
  'audit/push/push',
  'audit/retention',
  'authorisation/{matrix,objects,random-walk}',
  'backups/{archive,copies}/**',
  'backups/{at-once,backup-warnings,backups,retention}',
  'backups/run/{mail-backup,make-backup,queue-slot}',
  'backups/restore/verify-backup',
  'app/cli',
  'commands/**',
  'entries/{entry-limits,mark-entry}',
  'fields/{full-path,quota,sealed-create-refusals,sealed-file-refusals}',
  'former-members/former-members-offline',
  'groups/{change-group,create-child,create-refusals}',
  'hostile/**',
  'identity/**',
  'import/import-{hostile,limits,staged,turn}',
  'invites/**',
  'mail/**',
  'members/{member-rosters,sign-roster}',
  'operations/undo/undo-property',
  'offline/stale-check',
  'own-keys/**',
  'authorisation/permissions',
  'recovery/{hostile,kill,left-behind,recovery,upload}',
  'releases/{released,upgrade}',
  'seed/**',
  'server-crypto/**',
  'system/**',
  'users/**',
].map((name) => `${SERVER}/${name}${name.endsWith('**') ? '/*' : ''}.test.ts`);

/**
 * Paths from the root of all server tests that import, directly or not, the module for a test's database,
 * except those in `ON_SQLITE_ALONE`. The other tests are of functions without a database, or of processes
 * with an embedded one.
 */
export function testsOfTheEngine(): string[] {
  const tests = readdirSync(join(ROOT, SERVER), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `${SERVER}/${path.replaceAll('\\', '/')}`);
  const importers = importersOf(tests);
  const found = new Set([KNOWS_ENGINE]);
  // The loop also visits paths that are added during it.
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  return tests.filter((path) => found.has(path) && !ON_SQLITE_ALONE.includes(path)).toSorted();
}

/** Importers of each module, among all modules that these import. */
function importersOf(tests: readonly string[]): Map<string, string[]> {
  const { metafile } = buildSync({
    stdin: { contents: tests.map((path) => `import './${path}';`).join('\n'), resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
  });
  const importers = new Map<string, string[]>();
  for (const [importer, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), importer]);
  }
  return importers;
}
