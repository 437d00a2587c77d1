/** R1, R22: a recovery that is killed leaves the installation empty or whole (one moment; all of them in the long test). */
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
beforeAll(async () => {
  app = await startTestApp();
  await enlarge(app, await fillVault(app), { entries: 1000, files: 20, fileBytes: 100_000 });
  archive = await archiveOf(app);
});
afterAll(() => app.stop());

test.each(['the switch has begun'])('R1, R22: killed when %s', async (moment) => {
  const found = await killedRecovery(archive, { moment: MOMENTS[moment] ?? (() => true) });
  expect(found).toMatchObject({ wasKilled: true, doctor: EXIT.done });
  expect([0, 1]).toContain(found.users);
  if (found.users === 0) {
    expect(found.rows).toBe(0);
    expect(await recoveredAgain(archive, found.dataDir)).toBe(EXIT.done);
    expect(leftIn(found.dataDir)).toEqual([]);
  }
  await removeFolder(found.dataDir);
});
