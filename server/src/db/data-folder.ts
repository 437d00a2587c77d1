import { chmodSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { relative, sep } from 'node:path';
import { RESERVE_FILE } from '../platform/storage/space.ts';

export const DATABASE_FILE = 'passwordbroker.sqlite';
export const LOCK_FILE = 'process.lock';
export const UPGRADE_FOLDER = 'before-upgrade';

/** Without a database, the folder must hold nothing else. */
const OWN_FILES = [DATABASE_FILE, LOCK_FILE, RESERVE_FILE];
// `lost+found` is on a separate disk.
const OWN_FOLDERS = ['backups', 'backup-work', 'bodies', 'bodies-removed', 'uploads', UPGRADE_FOLDER, 'lost+found'];
const OWN_ARCHIVES = /^(?:pb_backup_.+\.tar\.gz(?:\.age)?|\..+\.part)$/;

const MODE = 0o700;
/** Others may have put a database there. */
const STICKY_AND_WRITABLE = 0o1002;
const TOLD = 3;

/** Other accounts use `DATA_DIR`, or may write to it. */
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
  /** May be in the data folder. */
  readonly backupDir?: string;
}

/** Creates the data folder or makes it private to this account. @throws DataDirShared without changes */
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

/** SQLite appends a dash and a suffix. */
const isOurs = (name: string) =>
  OWN_FOLDERS.includes(name) || OWN_FILES.some((file) => name === file || name.startsWith(`${file}-`));

const listOf = (names: readonly string[]) =>
  names
    .toSorted()
    .slice(0, TOLD)
    .map((name) => JSON.stringify(name))
    .concat(names.length > TOLD ? ['…'] : [])
    .join(', ');
