/**
 * Synchronous: a hanging share blocks no thread of libuv's pool. A missing folder is not created: its disk is
 * not mounted.
 */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomText } from '../../platform/ids-and-digests.ts';
import { giveName, isNameTaken, digestOfFile, type FileDigest } from '../archive-files.ts';
import { CopyFailed, FULL, folderFailure, type Store } from './second-target.ts';
import type { FolderTarget } from './copy-target.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Must stay free. */
const SPARE_BYTES = 64 * 1024 * 1024;
/** Shares that cannot sync a folder; the files are synced. */
const NO_FOLDER_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES']);

/** @param id for temporary file names @param alive called after each chunk */
export function folderStore({ path: folder }: FolderTarget, id: string, alive: () => void): Store {
  const inFolder = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      statSync(folder);
      return await work();
    } catch (error) {
      throw error instanceof CopyFailed ? error : folderFailure(error);
    }
  };
  return {
    digest: (name) => inFolder(() => (isAbsent(join(folder, name)) ? null : readThere(join(folder, name), alive))),
    isSource: (name, source) => inFolder(() => isOneFile(join(folder, name), source)),
    put: (name, source, { size }) =>
      inFolder(async () => {
        removeParts(folder, id);
        demandSpace(folder, size);
        const part = join(folder, `.${id}.${randomText(9)}.part`);
        try {
          copyDurably(source, part, alive);
          await giveName(part, join(folder, name));
        } catch (error) {
          if (isNameTaken(error)) throw new CopyFailed('A file of this name appeared in the second target.', 'EEXIST');
          throw error;
        } finally {
          rmSync(part, { force: true });
        }
        syncFolder(folder);
      }),
    remove: (name) => inFolder(() => rmSync(join(folder, name), { force: true })),
  };
}

/** Follows links: a link to the archive itself is no copy. */
function isOneFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

const isAbsent = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) === undefined;

/** Equals none for a link, folder or pipe. */
function readThere(path: string, alive: () => void): FileDigest {
  const none = { size: -1, sha256: '' };
  return lstatSync(path).isFile() ? (digestOfFile(path, alive) ?? none) : none;
}

/** Of killed attempts. */
function removeParts(folder: string, id: string): void {
  for (const found of readdirSync(folder)) {
    if (found.startsWith(`.${id}.`) && found.endsWith('.part')) rmSync(join(folder, found), { force: true });
  }
}

function demandSpace(folder: string, bytes: number): void {
  const { bavail, bsize, blocks } = statfsSync(folder);
  // Some shares report 0 blocks.
  if (blocks > 0 && bavail * bsize < bytes + SPARE_BYTES) throw new CopyFailed(FULL, 'ENOSPC');
}

function copyDurably(source: string, part: string, alive: () => void): void {
  const from = openSync(source, 'r');
  try {
    const to = openSync(part, 'wx', 0o600);
    try {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let read = readSync(from, chunk); read > 0; read = readSync(from, chunk)) {
        for (let written = 0; written < read;) written += writeSync(to, chunk, written, read - written);
        alive();
      }
      fsyncSync(to);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NO_FOLDER_SYNC.has(String(error.code)))) throw error;
  } finally {
    closeSync(folder);
  }
}
