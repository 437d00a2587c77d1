/** R7: a restore onto a disk without space or inodes fails with one sentence and leaves nothing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveOf } from '../backups/testing/archive.ts';
import { enlarge } from '../backups/testing/large-vault.ts';
import { fillVault } from '../backups/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';

const CLI = fileURLToPath(new URL('../app/cli.ts', import.meta.url));
/** Mounts a file system that only these processes see. */
const ALONE = ['-rm', 'sh', '-c', 'mount -t tmpfs -o "$0" none "$1" && shift && eval "$@"'];

const isAble = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
const suite = isAble ? test : test.skip;
const suffix = isAble ? '' : ' (skipped: no file system can be mounted here)';

let app: TestApp;
let archive: string;
let dataDir: string;
beforeAll(async () => {
  app = await startTestApp({ environment: { DATABASE_URL: '' } });
  await enlarge(app, await fillVault(app), { entries: 4000, files: 300, fileBytes: 100_000 });
  archive = await archiveOf(app, { password: null });
  dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-disk-'));
}, 120_000);
afterAll(async () => {
  await app.stop();
  rmSync(dataDir, { recursive: true });
});

function restoreOn(disk: string): string {
  const cli = `'${process.execPath}' --import tsx '${CLI}'`;
  const steps = [
    `${cli} backup restore '${archive}' 2>&1; echo "restore $?"`,
    `ls -A '${dataDir}/bodies' '${dataDir}/backup-work' 2>/dev/null | grep -cE '^[0-9a-f-]+$'`,
    `${cli} doctor >/dev/null 2>&1; echo "doctor $?"`,
    `${cli} backup restore '${archive}' >/dev/null 2>&1; echo "again $?"`,
  ];
  const { stdout, stderr } = spawnSync('unshare', [...ALONE, disk, dataDir, steps.join('; ')], {
    env: { ...process.env, DATA_DIR: dataDir },
    timeout: 90_000,
  });
  return `${stdout.toString()}${stderr.toString()}`;
}

suite.each([
  ['a disk too small for the rows', 'size=14m'],
  ['a disk too small for the files', 'size=38m'],
  ['a disk with too few inodes', 'size=1g,nr_inodes=450'],
])(`%s${suffix}`, { timeout: 120_000 }, (_what, disk) => {
  const said = restoreOn(disk);
  expect(said).toContain('There is not enough space on the disk.\nrestore 1\n0\ndoctor 0\nagain 1');
});

suite.each([['a disk with enough of both', 'size=1g,nr_inodes=5000']])(
  `%s${suffix}`,
  { timeout: 120_000 },
  (_what, disk) => {
    const said = restoreOn(disk);
    expect(said).toContain('restore 0');
  },
);
