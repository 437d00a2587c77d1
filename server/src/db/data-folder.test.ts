/** `DATA_DIR` is made private, so a shared folder is refused and left unchanged. */
import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveName } from '../backups/stored-archive.ts';
import { AttemptFiles } from '../backups/run/attempt-files.ts';
import { workFolder } from '../backups/work-folder.ts';
import { readConfig } from '../app/config.ts';
import { spoolFolder } from '../http/body/spool.ts';
import { DATABASE_FILE, DataDirShared, prepareDataFolder } from './data-folder.ts';
import { openDatabase } from './open.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-folder-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o7777;
const put = (...names: readonly string[]) => names.forEach((name) => writeFileSync(join(dataDir, name), ''));
const open = (folder = dataDir) => openDatabase({ dataDir: folder, now: 1 }).then((db) => db.close());

test.each([
  ['readable for the group', 0o775],
  ['readable for everybody', 0o777],
  ['a tmpfs as it is mounted', 0o1777],
])('an empty folder of this account becomes private: %s', async (_, mode) => {
  chmodSync(dataDir, mode);
  await open();
  expect(modeOf(dataDir)).toBe(0o700);
});

test('a folder with our database is accepted, whatever else it contains', async () => {
  await open();
  put('notes.txt');
  chmodSync(dataDir, 0o755);
  await open();
  expect(modeOf(dataDir)).toBe(0o700);
});

test('a folder with only the files of an instance on PostgreSQL is accepted', () => {
  const { backupDir } = readConfig({ DATA_DIR: dataDir });
  const below = [backupDir, workFolder(dataDir, 'x'), spoolFolder(dataDir), join(dataDir, 'lost+found')];
  for (const path of below) mkdirSync(path, { recursive: true });
  mkdirSync(join(dataDir, 'archives', 'of-us'), { recursive: true });
  expect(() => prepareDataFolder({ dataDir, backupDir })).toThrow(DataDirShared);
  prepareDataFolder({ dataDir, backupDir: join(dataDir, 'archives', 'of-us') });
});

test('a folder with archives is accepted if it is BACKUP_DIR too', () => {
  const config = readConfig({ DATA_DIR: dataDir, BACKUP_DIR: dataDir });
  const { part } = new AttemptFiles({ config }, randomUUID());
  put(archiveName(0, 'UTC', false), archiveName(1000, 'UTC', true), basename(part));
  prepareDataFolder(config);
  put('notes.tar.gz');
  expect(() => prepareDataFolder(config)).toThrow('"notes.tar.gz"');
  rmSync(join(dataDir, 'notes.tar.gz'));
  expect(() => prepareDataFolder({ dataDir, backupDir: join(dataDir, 'archives') })).toThrow(DataDirShared);
});

test('a folder with other files is refused by name and left unchanged, also a private one', async () => {
  put('.bashrc', 'a', 'b', 'c');
  mkdirSync(join(dataDir, 'uploads'));
  const names = readdirSync(dataDir);
  for (const mode of [0o1777, 0o755, 0o700]) {
    chmodSync(dataDir, mode);
    await expect(open()).rejects.toThrow(
      `DATA_DIR names ${dataDir}, which cannot be made private: other things lie there (".bashrc", "a", "b", …). Name a folder that does not exist yet, or an empty one of this account.`,
    );
    expect([modeOf(dataDir), readdirSync(dataDir)]).toEqual([mode, names]);
  }
});

test('a database among other files in a folder that everybody can write to is refused', async () => {
  put(DATABASE_FILE, 'of-somebody');
  chmodSync(dataDir, 0o1777);
  await expect(open()).rejects.toThrow('other things lie there ("of-somebody")');
  expect(modeOf(dataDir)).toBe(0o1777);
});

test('the folder for temporary files is refused, even if empty', async () => {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = dataDir;
  try {
    await expect(open()).rejects.toThrow('it is the folder for temporary files');
    expect(readdirSync(dataDir)).toEqual([]);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});

test('a folder of another account is refused', async () => {
  // Only root can change the owner; for other accounts `/` belongs to another account.
  const isSuperuser = process.geteuid?.() === 0;
  if (isSuperuser) chownSync(dataDir, 65_534, 65_534);
  const folder = isSuperuser ? dataDir : '/';
  const mode = modeOf(folder);
  await expect(open(folder)).rejects.toThrow('it belongs to another account');
  expect(modeOf(folder)).toBe(mode);
});
