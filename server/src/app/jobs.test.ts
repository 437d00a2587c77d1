/** The start of the background jobs, and a stop right after it. */
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

test('folders created after the start survive the pending cleanup', async () => {
  const upload = (name: string) => folder(join(spoolFolder(app.dataDir), name));
  const recovery = (name: string) => folder(workFolder(app.dataDir, `prove-${name}`));
  const former = [upload('former'), recovery('former')];
  const jobs = planJobs(app.deps, listLeftWork(app.dataDir));
  const own = [upload('own'), recovery('own')];
  // Beside other servers only old folders are removed.
  if (app.deps.db.dialect === 'sqlite')
    await expect.poll(() => former.some(existsSync), { timeout: 20_000 }).toBe(false);
  await jobs.stop(Promise.resolve());
  expect(own.map(existsSync)).toEqual([true, true]);
});

test('a stop right after the start runs no sweep, backup or cleanup, but seals the audit log', async () => {
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
  // Sweeps, backups and mails each need a lease.
  const known = before.map(({ name }) => name);
  expect((await leases()).map(({ name }) => name).filter((name) => !known.includes(name))).toEqual(['audit-sealer']);
  expect(existsSync(former)).toBe(true);
});
