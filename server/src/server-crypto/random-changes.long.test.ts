/** Random changes of rows: 200 runs with a fixed seed and 200 with a new one (T121). */
import { test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import { runRandomChanges } from './testing/random-changes.ts';

test.each([
  ['two hundred runs', 1000],
  ['two hundred new runs', Math.floor(Date.now() / 1000)],
])('T121 %s', { timeout: 600_000 }, async (_, seed) => {
  const app = await startTestApp();
  try {
    await runRandomChanges(app, { runs: 200, seed });
  } finally {
    await app.stop();
  }
});
