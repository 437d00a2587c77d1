/** The run on PostgreSQL has all tests with a database, except those that do not depend on the engine. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ON_SQLITE_ALONE, testsOfTheEngine } from './postgres-tests.ts';

const SERVER = fileURLToPath(new URL('../', import.meta.url));
const tests = testsOfTheEngine();
const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: `server/src/${path}`, text: readFileSync(join(SERVER, path), 'utf8') }));

test('only one module reads the engine of a run, so tests that do not import it are independent of it', () => {
  const asking = sources.filter(({ text }) => /TEST_(ENGINE|POSTGRES)\b/.test(text)).map(({ path }) => path);
  const others = ['postgres-run.ts', 'postgres-tests.test.ts'].map((name) => `server/src/testing/${name}`);
  expect(asking.filter((path) => !others.includes(path))).toEqual(['server/src/testing/test-database.ts']);
});

test('every test that starts the server in its process is listed, and every test for PostgreSQL alone', () => {
  const starting = sources.filter(
    ({ path, text }) =>
      path.endsWith('.postgres.test.ts') ||
      (path.endsWith('.test.ts') && /\bstartTestApp\(|\bfreshDatabase\(/.test(text)),
  );
  const left = starting.map(({ path }) => path).filter((path) => !tests.includes(path));
  expect(left.filter((path) => !ON_SQLITE_ALONE.includes(path))).toEqual([
    'server/src/testing/absent.postgres.test.ts',
  ]);
  expect(ON_SQLITE_ALONE.filter((path) => sources.every((source) => source.path !== path))).toEqual([]);
  expect(starting.length).toBeGreaterThan(100);
});

test('tests that use the database through helpers are listed, and tests without a database are not', () => {
  expect(tests).toContain('server/src/offline/stale-check-beside.test.ts');
  expect(sources.find(({ path }) => path === 'server/src/offline/stale-check-beside.test.ts')?.text).not.toMatch(
    /startTestApp\(/,
  );
  expect(tests).not.toContain('server/src/platform/semaphore.test.ts');
  expect(tests).not.toContain('server/src/app/main.test.ts');
});
