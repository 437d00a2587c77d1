/**
 * Sealed file bodies, each under the SHA-256 of its ciphertext, so a name is never a user's and the same bytes lie here once. A body is on disk
 * before a row names it: one that no row names is left over from an act that did not happen.
 */
import { constants, createReadStream, readdirSync, renameSync } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { randomText, sha256 } from './secrets.ts';

/** Longer than any upload and import together: a body is stored before a row names it, so one that was touched a shorter time ago is nobody's to remove. */
const HOUR = 60 * 60_000;
export const KEPT_FOR = 6 * HOUR;

export interface BodyStore {
  /** Stores the bytes durably and answers their name. Those that are there already count as touched. */
  put(bytes: Uint8Array): Promise<{ readonly sha256: string; readonly size: number }>;
  /** Takes a durable file of the same disk over as the body of that name. */
  adopt(path: string, sha256: string): Promise<void>;
  open(sha256: string): Readable;
  has(sha256: string): Promise<boolean>;
  /** Names of bodies, and of files that never became one, which nothing has touched since; milliseconds since 1970. */
  listUntouchedSince(time: number): Promise<string[]>;
  /**
   * Removes the body unless something has touched it since, which is judged in the removal itself: `put` and this one may come at the same time. Answers
   * whether it is gone by this call.
   */
  remove(sha256: string, untouchedSince: number): Promise<boolean>;
}

export function openBodyStore(dataDir: string): BodyStore {
  const folder = join(dataDir, 'bodies');
  const removing = join(dataDir, 'bodies-removed');
  putBackLeft(removing, folder);
  return {
    async put(bytes) {
      const name = sha256(bytes).toString('hex');
      const path = join(folder, name);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Touched, so that it is not collected before a row names it.
      if (await touch(path)) await syncFolder(folder);
      else await writeDurably(folder, path, bytes);
      return { sha256: name, size: bytes.length };
    },
    async adopt(path, name) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await touch(path);
      await rename(path, join(folder, name));
      await syncFolder(folder);
    },
    open: (name) => createReadStream(join(folder, name)),
    has: (name) => isReadable(join(folder, name)),
    async listUntouchedSince(time) {
      const names = await readdir(folder).catch(() => []);
      const untouched: string[] = [];
      for (const name of names) {
        const found = await stat(join(folder, name)).catch(() => null);
        if (found !== null && found.mtimeMs < time) untouched.push(name);
      }
      return untouched;
    },
    async remove(name, untouchedSince) {
      const path = join(folder, name);
      const aside = join(removing, name);
      if (!(await isUntouched(path, untouchedSince))) return false;
      await mkdir(removing, { recursive: true, mode: 0o700 });
      if (!(await renamed(path, aside))) return false;
      // Under this name nobody touches it any more: what is judged now stays so.
      if (await isUntouched(aside, untouchedSince)) {
        await rm(aside, { force: true });
        return true;
      }
      await renamed(aside, path);
      return false;
    },
  };
}

/** What a process was about to remove when it ended may have been touched meanwhile. One more body does no harm. */
function putBackLeft(removing: string, folder: string): void {
  // Each may be gone by now: another process or thread of this vault may be at work.
  for (const name of unlessGone(() => readdirSync(removing)) ?? []) {
    unlessGone(() => renameSync(join(removing, name), join(folder, name)));
  }
}

function unlessGone<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

const isAbsence = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Whether it is there and nothing has touched it since. */
const isUntouched = (path: string, since: number): Promise<boolean> =>
  unlessAbsent(async () => (await stat(path)).mtimeMs < since);

/** False when it is not there. */
const touch = (path: string): Promise<boolean> =>
  unlessAbsent(async () => {
    await utimes(path, new Date(), new Date());
    return true;
  });

/** False when it is not there (any more). */
const renamed = (from: string, to: string): Promise<boolean> =>
  unlessAbsent(async () => {
    await rename(from, to);
    return true;
  });

async function unlessAbsent(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );

async function writeDurably(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `.${randomText(12)}`);
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
}
