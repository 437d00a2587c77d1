/** Two attempts at one backup never touch each other's files. */
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../app/config.ts';
import { giveName, giveReservedName, isNameTaken } from '../archive-files.ts';
import { AttemptFiles, listUnfinished, removeAttempts, removeUnrecorded } from './attempt-files.ts';

const ID = '0197f1d2-0000-7000-8000-000000000001';
let dataDir: string;
let deps: ConstructorParameters<typeof AttemptFiles>[0];
let target: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-attempt-'));
  deps = { config: readConfig({ DATA_DIR: dataDir }) };
  target = join(deps.config.backupDir, 'pb.tar.gz');
});
afterEach(() => rm(dataDir, { recursive: true }));

async function begun(content: string): Promise<AttemptFiles> {
  const files = new AttemptFiles(deps, ID);
  await files.prepare();
  await writeFile(files.part, content);
  await writeFile(join(files.workDir, 'scratch'), content);
  return files;
}
const inFolder = async () => (await readdir(deps.config.backupDir)).toSorted();
const inWork = () => readdir(join(dataDir, 'backup-work'));

test("attempts use different file names, and removing one keeps the other's files", async () => {
  const [one, other] = [await begun('one'), await begun('other')];
  expect([one.part === other.part, one.workDir === other.workDir]).toEqual([false, false]);
  await one.withdraw();
  await one.clear();
  expect(await readFile(other.part, 'utf8')).toBe('other');
  expect(await inWork()).toHaveLength(1);
  await other.settle(target);
  // A repeated call has no further effect.
  await other.settle(target);
  expect(await readFile(target, 'utf8')).toBe('other');
  await other.clear();
  expect([await inFolder(), await inWork()]).toEqual([['pb.tar.gz'], []]);
});

test('an archive is removed only by the attempt that made it', async () => {
  const one = await begun('one');
  await one.settle(target);
  // The new file may get the same inode number.
  await rm(target);
  const other = await begun('other');
  await other.settle(target);
  await one.withdraw();
  await one.clear();
  expect(await readFile(target, 'utf8')).toBe('other');
  await other.withdraw();
  await other.clear();
  expect(await inFolder()).toEqual([]);
});

test("an existing file of the archive's name is neither overwritten nor removed", async () => {
  const files = await begun('ours');
  await writeFile(target, 'somebody’s');
  await expect(files.settle(target)).rejects.toMatchObject({ code: 'EEXIST' });
  await files.withdraw();
  await files.clear();
  expect(await readFile(target, 'utf8')).toBe('somebody’s');
});

test('the part file stays until the backup is recorded and identifies its archive; other archives stay', async () => {
  const files = await begun('ours');
  expect(await files.settle(target)).toBe(target);
  expect((await stat(files.part)).ino).toBe((await stat(target)).ino);
  await writeFile(join(deps.config.backupDir, 'other.tar.gz'), 'somebody’s');
  await removeUnrecorded(deps, ID.replace(/1$/, '2'));
  expect(await readFile(target, 'utf8')).toBe('ours');
  await removeUnrecorded(deps, ID);
  expect((await inFolder()).filter((name) => !name.startsWith('.'))).toEqual(['other.tar.gz']);
  await files.clear();
});

test.each([
  ['with hard links', giveName],
  ['without hard links', giveReservedName],
] as const)(
  'if several attempts take one name at once, on a file system %s, one gets it and the others fail with EEXIST',
  async (_, give) => {
    const parts = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => join(dataDir, name));
    const folder = await mkdtemp(join(dataDir, 'names-'));
    for (const part of parts) await writeFile(part, part);
    const given = await Promise.allSettled(parts.map((part) => give(part, join(folder, 'name'))));
    const refused = given.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toHaveLength(5);
    expect(refused.every(isNameTaken)).toBe(true);
    const winner = parts[given.findIndex(({ status }) => status === 'fulfilled')];
    expect(await readFile(join(folder, 'name'), 'utf8')).toBe(winner);
  },
);

test('cleaning up removes the temporary files of one backup only', async () => {
  await begun('left by a process that died');
  const stranger = '.0197f1d2-0000-7000-8000-000000000002.abc.part';
  for (const name of [stranger, `.${ID}.part`, 'kept.tar.gz', '.kept.part']) {
    await writeFile(join(deps.config.backupDir, name), '');
  }
  expect((await listUnfinished(deps)).toSorted()).toEqual([ID, ID.replace(/1$/, '2')]);
  await removeAttempts(deps, ID);
  expect([await inFolder(), await inWork()]).toEqual([['.kept.part', stranger, 'kept.tar.gz'].toSorted(), []]);
});
