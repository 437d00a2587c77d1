/** Disk errors, delays and interrupted calls during a restore never lead to a false success (R5, R9, R10). */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveOf } from '../backups/testing/archive.ts';
import { enlarge } from '../backups/testing/large-vault.ts';
import { fillVault } from '../backups/testing/vault.ts';
import { EXIT } from '../commands/command.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { lookAt, recoveredAgain } from './testing/killed.ts';

const CLI = fileURLToPath(new URL('../app/cli.ts', import.meta.url));
const isAble = spawnSync('strace', ['-f', '--seccomp-bpf', '-e', 'trace=fsync', 'true']).status === 0;
const suite = isAble ? test : test.skip;
const suffix = isAble ? '' : ' (skipped: no system call can be traced here)';

let app: TestApp;
let archive: string;
beforeAll(async () => {
  app = await startTestApp({ environment: { DATABASE_URL: '' } });
  await enlarge(app, await fillVault(app), { entries: 300, files: 5, fileBytes: 50_000 });
  archive = await archiveOf(app);
}, 120_000);
afterAll(() => app.stop());

/**
 * Restores into a new folder while strace injects faults into these system calls. Returns the exit code and
 * what is there.
 */
async function restoredWith(calls: string, injected: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-errors-'));
  const trace = `${dataDir}.trace`;
  const tampering = ['-f', '--seccomp-bpf', '-o', trace, '-e', `trace=${calls}`, '-e', `inject=${calls}:${injected}`];
  const command = [process.execPath, '--import', 'tsx', CLI, 'backup', 'restore', archive, '--password-stdin'];
  const { status } = spawnSync('strace', [...tampering, ...command], {
    env: { ...process.env, DATA_DIR: dataDir },
    input: 'correct horse battery staple\n',
    timeout: 100_000,
  });
  const hits = (await readFile(trace, 'utf8'))
    .split('\n')
    .filter((line) => /\((INJECTED|DELAYED)\)$/.test(line)).length;
  await rm(trace);
  const found = await lookAt(dataDir);
  const again = found.users === 0 ? await recoveredAgain(archive, dataDir) : null;
  await rm(dataDir, { recursive: true });
  return { status, hits, ...found, again };
}

/**
 * The last calls belong to the commit in the thread that makes up to 20. The restore fails, leaves nothing,
 * and succeeds when repeated.
 */
const UNDONE = { status: EXIT.failed, rows: 0, users: 0, doctor: EXIT.done, again: EXIT.done };

suite.each([1, 8, 16, 20])(`R5: fsync call %i and all later ones fail${suffix}`, { timeout: 200_000 }, async (from) => {
  const outcome = await restoredWith('fsync,fdatasync', `error=EIO:when=${from}+`);
  expect(outcome.hits).toBeGreaterThan(0);
  expect(outcome).toMatchObject(UNDONE);
});

suite.each(['every third write'])(`R9: %s is interrupted${suffix}`, { timeout: 200_000 }, async () => {
  const outcome = await restoredWith('pwrite64', 'error=EINTR:when=1+3');
  console.info(`R9: ${outcome.hits} writes interrupted`);
  expect(outcome.hits).toBeGreaterThan(50);
  expect(outcome).toMatchObject({ status: EXIT.done, users: 1, doctor: EXIT.done });
});

suite.each(['every fsync'])(`R10: %s takes half a second${suffix}`, { timeout: 200_000 }, async () => {
  const outcome = await restoredWith('fsync,fdatasync', 'delay_exit=500000');
  console.info(`R10: ${outcome.hits} calls delayed`);
  expect(outcome.hits).toBeGreaterThan(20);
  expect(outcome).toMatchObject({ status: EXIT.done, users: 1, doctor: EXIT.done });
});
