/**
 * Sealed file bodies, named by their SHA-256: no name comes from a user. A body is on disk before a row names
 * it, and is removed only while nothing else writes and no row names it (ADR 15).
 */
import { createReadStream, readdirSync, renameSync } from 'node:fs';
import { access, constants, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { randomText, sha256 } from '../ids-and-digests.ts';

export interface StoredBody {
  readonly sha256: string;
  readonly size: number;
}

export interface BodyStore {
  /** Stores the bytes durably, or touches the existing body. */
  put(bytes: Uint8Array): Promise<StoredBody>;
  /** Takes over a durable file of the same disk. */
  adopt(path: string, sha256: string): Promise<void>;
  open(sha256: string): Readable;
  has(sha256: string): Promise<boolean>;
  /** Bodies and incomplete files not touched since `time` (Unix ms). */
  listUntouchedSince(time: number): Promise<string[]>;
  /** Returns whether it existed. Use `removeUnnamedBodies`, which checks the rows first. */
  remove(sha256: string): Promise<boolean>;
  /** Removes incomplete files of a `writer` that has ended. */
  removeHalfWritten(writer: string): Promise<void>;
}

/** @param writer prefix of incomplete files: letters, digits and dashes */
export function openBodyStore(dataDir: string, writer = 'server'): BodyStore {
  const folder = join(dataDir, 'bodies');
  const partOf = (name: string) => `.${name}.`;
  return {
    async put(bytes) {
      const name = sha256(bytes).toString('hex');
      const path = join(folder, name);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (await touch(path)) await syncFolder(folder);
      else await writeDurably(folder, join(folder, partOf(writer) + randomText(12)), path, bytes);
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
    remove: (name) => unlessAbsent(() => rm(join(folder, name))),
    async removeHalfWritten(gone) {
      for (const name of await readdir(folder).catch(() => [])) {
        if (name.startsWith(partOf(gone))) await rm(join(folder, name), { force: true });
      }
    },
  };
}

/** Moves back bodies that a crash of release 1.0 left aside: a row may name them. */
export function putBackMovedAside(dataDir: string): void {
  const aside = join(dataDir, 'bodies-removed');
  for (const name of namesIn(aside)) renameSync(join(aside, name), join(dataDir, 'bodies', name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

const isAbsence = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const touch = (path: string): Promise<boolean> => unlessAbsent(() => utimes(path, new Date(), new Date()));

async function unlessAbsent(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
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

async function writeDurably(folder: string, temporary: string, path: string, bytes: Uint8Array): Promise<void> {
  try {
    const file = await open(temporary, 'wx', 0o600);
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
