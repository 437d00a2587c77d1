/**
 * R1, R22: a killed recovery leaves the installation empty or complete (one step; the long test covers all).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveOf } from '../backups/testing/archive.ts';
import { enlarge } from '../backups/testing/large-vault.ts';
import { fillVault } from '../backups/testing/vault.ts';
import { EXIT } from '../commands/command.ts';
import { type BuiltServer, buildServer } from '../testing/built-server.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { STEPS, Sight, killedRecovery, leftIn, recoveredAgain, removeFolder } from './testing/killed.ts';

const [ENTRIES, FILES] = [1000, 20];

let app: TestApp;
let archive: string;
let built: BuiltServer;
beforeAll(async () => {
  app = await startTestApp();
  await enlarge(app, await fillVault(app), { entries: ENTRIES, files: FILES, fileBytes: 100_000 });
  archive = await archiveOf(app);
  built = await buildServer();
});
afterAll(() => Promise.all([app.stop(), built.remove()]));

test('R1, R22: a recovery killed when the switch has begun leaves the installation empty or complete', async () => {
  const found = await killedRecovery(archive, { cli: built.cli, moment: STEPS['the switch has begun'].isReached });
  expect(found).toMatchObject({ wasReached: true, wasKilled: true, doctor: EXIT.done });
  // All files are in place, and the restored rows wait for removal.
  expect(new Sight(found.dataDir).takenOver()).toBe(FILES + 1);
  expect(leftIn(found.dataDir)).toHaveLength(1);
  expect([0, 1]).toContain(found.users);
  if (found.users === 0) {
    expect(found.rows).toBe(0);
    expect(await recoveredAgain(archive, found.dataDir)).toBe(EXIT.done);
    expect(leftIn(found.dataDir)).toEqual([]);
  } else {
    expect(found.rows).toBeGreaterThan(ENTRIES * 4);
  }
  await removeFolder(found.dataDir);
});
