/** R1, R22: a recovery killed in any step, at once or later, leaves the installation empty or complete. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveOf } from '../backups/testing/archive.ts';
import { enlarge } from '../backups/testing/large-vault.ts';
import { fillVault } from '../backups/testing/vault.ts';
import { EXIT } from '../commands/command.ts';
import { type BuiltServer, buildServer } from '../testing/built-server.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { STEPS, STEP_NAMES, killedRecovery, leftIn, recoveredAgain, removeFolder } from './testing/killed.ts';

let app: TestApp;
let archive: string;
let built: BuiltServer;
const seen = { empty: 0, whole: 0 };
beforeAll(async () => {
  app = await startTestApp();
  await enlarge(app, await fillVault(app), { entries: 5000, files: 100, fileBytes: 200_000 });
  archive = await archiveOf(app);
  built = await buildServer();
}, 300_000);
afterAll(async () => {
  await Promise.all([app.stop(), built.remove()]);
  console.info(`recoveries that were killed: ${seen.empty} left it empty, ${seen.whole} whole`);
});

const CASES = STEP_NAMES.flatMap((step) => [0, 20, 300].map((after) => [step, after] as const));

test.each(CASES)(
  'R1, R22: a recovery killed when %s, and %i ms later, leaves the installation empty or complete',
  { timeout: 120_000 },
  async (step, after) => {
    const { isReached, leaves } = STEPS[step];
    const found = await killedRecovery(archive, { cli: built.cli, moment: isReached, after });
    expect(found).toMatchObject({ wasReached: true, doctor: EXIT.done });
    // With a delay the recovery may have finished before; then everything must be there.
    if (after === 0) expect(found.wasKilled).toBe(true);
    const isEmpty = found.users === 0;
    if (!found.wasKilled || leaves === 'everything') expect(isEmpty).toBe(false);
    if (leaves === 'nothing' && after === 0) expect(isEmpty).toBe(true);
    if (found.wasKilled) seen[isEmpty ? 'empty' : 'whole'] += 1;
    if (isEmpty) {
      expect(found.rows).toBe(0);
      if (after === 0) {
        expect(await recoveredAgain(archive, found.dataDir)).toBe(EXIT.done);
        expect(leftIn(found.dataDir)).toEqual([]);
      }
    } else {
      // All rows of the archive, and the log row of the recovery.
      expect(found.rows).toBeGreaterThan(5000 * 4);
    }
    await removeFolder(found.dataDir);
  },
);

test('R1, R22: some killed recoveries left the installation empty, others complete', () => {
  expect(seen.empty).toBeGreaterThan(0);
  expect(seen.whole).toBeGreaterThan(0);
});
