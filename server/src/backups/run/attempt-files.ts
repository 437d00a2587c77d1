/**
 * The files of one attempt at a backup. Their names are those of no other attempt: one that has lost its turn and does not know it yet takes nothing
 * from the one that came after it, and removes nothing but what it has made itself.
 */
import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Deps } from '../../http/context.ts';
import { randomText } from '../../platform/secrets.ts';
import { giveName } from './give-name.ts';
import { workFolder, workFolders } from '../work-folder.ts';

export class AttemptFiles {
  /** Where the archive grows. */
  readonly part: string;
  /** A folder for what is needed meanwhile. */
  readonly workDir: string;
  readonly #folder: string;
  /** Where the archive is now. Its handle holds its number on the disk: no other file can be taken for it. */
  #settled: { readonly path: string; readonly file: FileHandle } | null = null;

  constructor({ config }: Pick<Deps, 'config'>, backupId: string) {
    const attempt = `${backupId}.${randomText(9)}`;
    this.#folder = config.backupDir;
    this.part = join(config.backupDir, `.${attempt}.part`);
    this.workDir = workFolder(config.dataDir, attempt);
  }

  /** Makes the folders. */
  async prepare(): Promise<void> {
    // A file in its place is told by what follows.
    if (!(await exists(this.#folder))) await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await mkdir(this.workDir, { recursive: true, mode: 0o700 });
  }

  /**
   * Gives the finished part its name, durably, and answers it; one that has its name already keeps it. The part stays beside it until all is told:
   * by it those who come after know what is of this attempt. @throws EEXIST when there is a file of that name
   */
  async settle(path: string): Promise<string> {
    if (this.#settled !== null) return this.#settled.path;
    const file = await open(this.part, 'r');
    try {
      await giveName(this.part, path);
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#settled = { path, file };
    await syncFolder(dirname(path));
    return path;
  }

  /** Removes all but the archive under its name. */
  async clear(): Promise<void> {
    await removeQuietly(this.part);
    await rm(this.workDir, { recursive: true, force: true });
    await this.#settled?.file.close();
    this.#settled = null;
  }

  /** Removes the archive under its name, if it is there and the one of this attempt. */
  async withdraw(): Promise<void> {
    if (this.#settled === null) return;
    const { path, file } = this.#settled;
    const [ours, there] = [await file.stat(), await lstat(path).catch(() => null)];
    if (there !== null && isSameFile(there, ours)) await removeQuietly(path);
  }
}

/**
 * Removes an archive of this backup that came as far as its name, and was never told: it is known by being the same file as a part of it. What else has
 * such a name is somebody else's, and stays.
 */
export async function removeUntold({ config }: Pick<Deps, 'config'>, backupId: string): Promise<void> {
  const folder = config.backupDir;
  const [parts, others] = [[], []] as [Stats[], string[]];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!isPartOf(backupId, name)) others.push(name);
    else {
      const part = await lstat(join(folder, name)).catch(() => null);
      if (part !== null && part.nlink > 1) parts.push(part);
    }
  }
  if (parts.length === 0) return;
  for (const name of others) {
    const there = await lstat(join(folder, name)).catch(() => null);
    if (there !== null && parts.some((part) => isSameFile(there, part))) await removeQuietly(join(folder, name));
  }
}

const isPartOf = (backupId: string, name: string) => name.startsWith(`.${backupId}.`) && name.endsWith('.part');
const isSameFile = (one: Stats, other: Stats) => one.ino === other.ino && one.dev === other.dev;

/** Removes what attempts at this backup have left behind that are over, or have lost their turn. Only whoever has the turn may. */
export async function removeAttempts({ config }: Pick<Deps, 'config'>, backupId: string): Promise<void> {
  const { backupDir, dataDir } = config;
  for (const name of await readdir(backupDir).catch(() => [])) {
    if (isPartOf(backupId, name)) await removeQuietly(join(backupDir, name));
  }
  for (const name of await workFolders(dataDir)) {
    if (name.startsWith(backupId)) await rm(workFolder(dataDir, name), { recursive: true, force: true });
  }
}

const PART = /^\.([0-9a-f-]{36})\.(?:[\w-]+\.)?part$/;
const WORK = /^([0-9a-f-]{36})\.[\w-]+$/;

/** Backups of which there is something unfinished. */
export async function listBegun({ config }: Pick<Deps, 'config'>): Promise<string[]> {
  const parts = (await readdir(config.backupDir).catch(() => [])).map((name) => PART.exec(name));
  const works = (await workFolders(config.dataDir)).map((name) => WORK.exec(name));
  return [...new Set([...parts, ...works].flatMap((found) => found?.[1] ?? []))];
}

/** What is in the way of removing it has its own error already. */
const removeQuietly = (path: string) => rm(path, { force: true }).catch(() => {});

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}
