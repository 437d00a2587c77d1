/** Random changes of rows, 200 runs and as many that no run had before (T121). */
import { afterAll, beforeAll, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { runRandomChanges } from './testing/random-changes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('T121 two hundred runs', { timeout: 600_000 }, () => runRandomChanges(app, { runs: 200, seed: 1000 }));
test('T121 two hundred new runs', { timeout: 600_000 }, () =>
  runRandomChanges(app, { runs: 200, seed: Math.floor(Date.now() / 1000) }),
);
