/** The first moments of a process, and an end that comes in them. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/site/backups';
import { hasUnsealed } from '../audit/chain/chain-repository.ts';
import { listLeftWork, workFolder } from '../backups/work-folder.ts';
import { spoolFolder } from '../http/body/spool.ts';
import { planJobs } from './jobs.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const folder = (path: string) => {
  mkdirSync(path, { recursive: true });
  return path;
};

test('what comes to be after the start stays, though the clearing is still to come', async () => {
  const upload = (name: string) => folder(join(spoolFolder(app.dataDir), name));
  const recovery = (name: string) => folder(workFolder(app.dataDir, `prove-${name}`));
  const former = [upload('former'), recovery('former')];
  const jobs = planJobs(app.deps, listLeftWork(app.dataDir));
  const own = [upload('own'), recovery('own')];
  // Beside other servers only what is old goes.
  if (app.deps.db.dialect === 'sqlite')
    await expect.poll(() => former.some(existsSync), { timeout: 20_000 }).toBe(false);
  await jobs.stop(Promise.resolve());
  expect(own.map(existsSync)).toEqual([true, true]);
});

test('an end in the first moments begins no sweep, no backup and no clearing; what was done is sealed', async () => {
  const ada = await app.signUp('ada');
  await ada.call(backups.changeSettings, { body: { schedule: [12], enable: true, email_enable: false } });
  app.clock.advance(24 * HOUR);
  const former = folder(join(spoolFolder(app.dataDir), 'former'));
  const leases = () => app.deps.db.read.selectFrom('leases').select('name').orderBy('name').execute();
  const before = await leases();
  expect(await hasUnsealed(app.deps.db)).toBe(true);
  const jobs = planJobs(app.deps, listLeftWork(app.dataDir));
  await jobs.stop(Promise.resolve());
  expect(await hasUnsealed(app.deps.db)).toBe(false);
  expect(await app.deps.db.read.selectFrom('backups').selectAll().execute()).toEqual([]);
  // Whoever sweeps, makes backups or sends mail holds a lease for it.
  const known = before.map(({ name }) => name);
  expect((await leases()).map(({ name }) => name).filter((name) => !known.includes(name))).toEqual(['audit-sealer']);
  expect(existsSync(former)).toBe(true);
});
