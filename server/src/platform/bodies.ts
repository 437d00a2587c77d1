/**
 * Sealed file bodies, each under the SHA-256 of its ciphertext, so a name is never a user's and the same bytes lie here once. A body is on disk
 * before a row names it: one that no row names is left over from an act that did not happen.
 */
import { constants } from 'node:fs';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { randomText, sha256 } from './secrets.ts';

export interface BodyStore {
  /** Stores the bytes durably and answers their name. */
  put(bytes: Uint8Array): Promise<{ readonly sha256: string; readonly size: number }>;
  /** Takes a durable file of the same disk over as the body of that name. */
  adopt(path: string, sha256: string): Promise<void>;
  open(sha256: string): Readable;
  has(sha256: string): Promise<boolean>;
  /** Names of bodies, and of files that never became one, which nothing has touched since; milliseconds since 1970. */
  listUntouchedSince(time: number): Promise<string[]>;
  /** Removes the body; one that is not there is as good as removed. */
  remove(sha256: string): Promise<void>;
}

export function openBodyStore(dataDir: string): BodyStore {
  const folder = join(dataDir, 'bodies');
  return {
    async put(bytes) {
      const name = sha256(bytes).toString('hex');
      const path = join(folder, name);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Touched, so that it is not collected before a row names it.
      if (await isReadable(path)) await utimes(path, new Date(), new Date());
      else await writeDurably(folder, path, bytes);
      return { sha256: name, size: bytes.length };
    },
    async adopt(path, name) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
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
    remove: (name) => rm(join(folder, name), { force: true }),
  };
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
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
}
