/** The data folder, which is this account's alone: whatever is shared with anybody else is not taken for one. */
import { chmodSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { relative, sep } from 'node:path';
import { RESERVE_FILE } from '../platform/storage/reserve.ts';

/** The embedded database. */
export const DATABASE_FILE = 'passwordbroker.sqlite';
export const LOCK_FILE = 'process.lock';
/** Folder of the database copies that upgrades make. */
export const UPGRADE_FOLDER = 'before-upgrade';

/** Beside an embedded database anything may lie; a folder without one is ours when nothing but this is in it. */
const OWN_FILES = [DATABASE_FILE, LOCK_FILE, RESERVE_FILE];
// A disk of its own has the last one.
const OWN_FOLDERS = ['backups', 'backup-work', 'bodies', 'bodies-removed', 'uploads', UPGRADE_FOLDER, 'lost+found'];
/** Archives, and what becomes one, where the folder for archives is the data folder itself. */
const OWN_ARCHIVES = /^(?:pb_backup_.+\.tar\.gz(?:\.age)?|\..+\.part)$/;

const MODE = 0o700;
/** Whoever made it that way means everybody to use it, and anybody may have put a database there. */
const STICKY_AND_WRITABLE = 0o1002;
const TOLD = 3;

/** `DATA_DIR` names a folder that others use, or may. */
export class DataDirShared extends Error {
  constructor(dataDir: string, reason: string) {
    super(
      `DATA_DIR names ${dataDir}, which cannot be made private: ${reason}. Name a folder that does not exist yet, or an empty one of this account.`,
    );
    this.name = 'DataDirShared';
  }
}

interface Folders {
  readonly dataDir: string;
  /** It may lie in the data folder, under any name, or be it. */
  readonly backupDir?: string;
}

/** Makes the data folder, or makes one that is ours private to this account. @throws DataDirShared; then nothing has been changed */
export function prepareDataFolder({ dataDir, backupDir }: Folders): void {
  mkdirSync(dataDir, { recursive: true, mode: MODE });
  const { mode, uid } = statSync(dataDir);
  const names = readdirSync(dataDir);
  if (!names.includes(DATABASE_FILE) || (mode & STICKY_AND_WRITABLE) === STICKY_AND_WRITABLE) {
    const backups = backupDir === undefined ? undefined : relative(dataDir, backupDir).split(sep)[0];
    const others = names.filter(
      (name) => !isOurs(name) && name !== backups && !(backups === '' && OWN_ARCHIVES.test(name)),
    );
    const reason =
      uid !== (process.geteuid?.() ?? uid)
        ? 'it belongs to another account'
        : realpathSync(dataDir) === realpathSync(tmpdir())
          ? 'it is the folder for temporary files'
          : others.length > 0
            ? `other things lie there (${listOf(others)})`
            : null;
    if (reason !== null) throw new DataDirShared(dataDir, reason);
  }
  if ((mode & 0o7777) !== MODE) chmodSync(dataDir, MODE);
}

/** The engine names what belongs to a file with a dash behind its name. */
const isOurs = (name: string) =>
  OWN_FOLDERS.includes(name) || OWN_FILES.some((file) => name === file || name.startsWith(`${file}-`));

const listOf = (names: readonly string[]) =>
  names
    .toSorted()
    .slice(0, TOLD)
    .map((name) => JSON.stringify(name))
    .concat(names.length > TOLD ? ['…'] : [])
    .join(', ');
