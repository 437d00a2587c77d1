/**
 * Sealed file bodies, each under the SHA-256 of its ciphertext, so a name is never a user's and the same bytes lie here once. A body is on disk
 * before a row names it: one that no row names is left over from an act that did not happen.
 */
import { constants } from 'node:fs';
import type { ReadStream } from 'node:fs';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomText, sha256 } from './secrets.ts';

export interface BodyStore {
  /** Stores the bytes durably and answers their name. */
  put(bytes: Uint8Array): Promise<{ readonly sha256: string; readonly size: number }>;
  open(sha256: string): ReadStream;
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
      const isThere = await access(path, constants.R_OK).then(
        () => true,
        () => false,
      );
      if (!isThere) await writeDurably(folder, path, bytes);
      return { sha256: name, size: bytes.length };
    },
    open: (name) => createReadStream(join(folder, name)),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

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
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
}
