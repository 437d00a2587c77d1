/**
 * Random changes of rows: no call fails unexpectedly, and the attacker cannot read values written
 * afterwards (T121; 200 runs: `random-changes.long.test.ts`).
 */
import { afterAll, beforeAll, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { runRandomChanges } from './testing/random-changes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('T121 ten runs', { timeout: 180_000 }, () => runRandomChanges(app, { runs: 10, seed: 1 }));
