/** Default dependencies of a server, without any replaced by a test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';
import { openDeps } from './deps.ts';
import { createLog } from '../platform/log.ts';

test('password hashing costs what the product promises (docs/spec/threats.md §3.1.7)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-'));
  const deps = await openDeps(readConfig({ DATA_DIR: dataDir }), createLog('silent'));
  onTestFinished(async () => {
    await deps.db.close();
    await rm(dataDir, { recursive: true });
  });
  const cost = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;
  expect(await deps.accountPasswords.hash('a password')).toMatch(cost);
  expect(deps.accountPasswords.dummy).toMatch(cost);
  const unusable = deps.accountPasswords.unusable();
  expect(unusable).toMatch(cost);
  expect(unusable).not.toBe(deps.accountPasswords.unusable());
  expect(await deps.accountPasswords.verify(unusable, 'a password')).toBe(false);
  expect(deps.kdf.profiles[deps.kdf.defaultProfile]?.memoryKib).toBe(65_536);
});
