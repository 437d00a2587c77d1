/**
 * R21: 500 damaged archives, half of them encrypted, and archives truncated at every 64 KiB are refused with
 * a known reason, and the installation stays as it was. For an empty installation:
 * `recovery/corruption.long.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everything } from '../../operations/testing/vault.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { archiveOf } from '../testing/archive.ts';
import { refusedCuts, refusedDamages } from '../testing/refused-damages.ts';
import { fillVault } from '../testing/vault.ts';

let app: TestApp;
let sealed: string;
let plain: string;
beforeAll(async () => {
  app = await startTestApp();
  await fillVault(app);
  sealed = await archiveOf(app);
  plain = await archiveOf(app, { password: null });
});
afterAll(() => app.stop());

test('500 randomly corrupted archives are refused', { timeout: 600_000 }, async () => {
  const before = await everything(app.deps);
  const faults = [...(await refusedDamages(sealed, 250, 1)), ...(await refusedDamages(plain, 250, 2))];
  expect(faults.length).toBe(500);
  for (const path of [sealed, plain]) expect((await refusedCuts(path)).length).toBeGreaterThan(4);
  expect(await everything(app.deps)).toBe(before);
  const counts = new Map<string, number>();
  for (const fault of faults) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  console.info(`500 damaged archives refused: ${[...counts].map(([fault, n]) => `${fault} ${n}`).join(', ')}`);
});
