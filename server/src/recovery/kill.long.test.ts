/** R1, R22: a recovery killed in each of its steps, at once and a little later, leaves the installation empty or whole. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveOf } from '../backups/testing/archive.ts';
import { enlarge } from '../backups/testing/large-vault.ts';
import { fillVault } from '../backups/testing/vault.ts';
import { EXIT } from '../commands/command.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { MOMENTS, killedRecovery, leftIn, recoveredAgain, removeFolder } from './testing/killed.ts';

let app: TestApp;
let archive: string;
const seen = { empty: 0, whole: 0 };
beforeAll(async () => {
  app = await startTestApp();
  await enlarge(app, await fillVault(app), { entries: 5000, files: 100, fileBytes: 200_000 });
  archive = await archiveOf(app);
}, 300_000);
afterAll(async () => {
  await app.stop();
  console.info(`killed recoveries: ${seen.empty} left it empty, ${seen.whole} whole`);
});

const CASES = Object.keys(MOMENTS).flatMap((moment) => [0, 20, 300].map((after) => [moment, after] as const));

test.each(CASES)('R1, R22: killed when %s, and %i ms later', { timeout: 120_000 }, async (moment, after) => {
  const found = await killedRecovery(archive, { moment: MOMENTS[moment] ?? (() => true), after });
  expect(found.doctor).toBe(EXIT.done);
  if (found.users === 0) {
    seen.empty += 1;
    expect(found.rows).toBe(0);
    if (after === 0) {
      expect(await recoveredAgain(archive, found.dataDir)).toBe(EXIT.done);
      expect(leftIn(found.dataDir)).toEqual([]);
    }
  } else {
    seen.whole += 1;
    // All that the archive has, and the record of the recovery.
    expect(found.rows).toBeGreaterThan(5000 * 4);
  }
  await removeFolder(found.dataDir);
});
