/** Unique names: an attempt without its lease cannot touch its successor's files. */
import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Deps } from '../../http/context.ts';
import { randomText } from '../../platform/ids-and-digests.ts';
import { giveName } from '../archive-files.ts';
import { workFolder, workFolders } from '../work-folder.ts';

export class AttemptFiles {
  readonly part: string;
  readonly workDir: string;
  readonly #folder: string;
  /** Keeps the inode number from being reused. */
  #settled: { readonly path: string; readonly file: FileHandle } | null = null;

  constructor({ config }: Pick<Deps, 'config'>, backupId: string) {
    const attempt = `${backupId}.${randomText(9)}`;
    this.#folder = config.backupDir;
    this.part = join(config.backupDir, `.${attempt}.part`);
    this.workDir = workFolder(config.dataDir, attempt);
  }

  async prepare(): Promise<void> {
    // If it is a file, writing the part fails.
    if (!(await exists(this.#folder))) await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await mkdir(this.workDir, { recursive: true, mode: 0o700 });
  }

  /**
   * Publishes the part durably; may be repeated. The part stays as a second link, which marks the archive as
   * this attempt's. @throws EEXIST
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

  /** Keeps the published archive. */
  async clear(): Promise<void> {
    await removeQuietly(this.part);
    await rm(this.workDir, { recursive: true, force: true });
    await this.#settled?.file.close();
    this.#settled = null;
  }

  /** Removes the archive only if the path still is this attempt's file. */
  async withdraw(): Promise<void> {
    if (this.#settled === null) return;
    const { path, file } = this.#settled;
    const [ours, there] = [await file.stat(), await lstat(path).catch(() => null)];
    if (there !== null && isSameFile(there, ours)) await removeQuietly(path);
  }
}

/** Removes a published but unrecorded archive: the same inode as one of its parts. */
export async function removeUnrecorded({ config }: Pick<Deps, 'config'>, backupId: string): Promise<void> {
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

/** Removes files of earlier attempts. The caller must hold the lease. */
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

/** Ids of backups with unfinished files. */
export async function listUnfinished({ config }: Pick<Deps, 'config'>): Promise<string[]> {
  const parts = (await readdir(config.backupDir).catch(() => [])).map((name) => PART.exec(name));
  const works = (await workFolders(config.dataDir)).map((name) => WORK.exec(name));
  return [...new Set([...parts, ...works].flatMap((found) => found?.[1] ?? []))];
}

/** The caller already reports an error. */
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
