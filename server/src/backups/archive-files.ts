import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { runningDigest } from '../platform/ids-and-digests.ts';

export interface FileDigest {
  readonly size: number;
  readonly sha256: string;
}

const CHUNK_BYTES = 1024 * 1024;

/** Null unless it is a regular file. Synchronous: for worker threads only. */
export function digestOfFile(path: string, onRead: () => void = () => {}): FileDigest | null {
  const file = openIfPresent(path);
  if (file === null) return null;
  try {
    if (!fstatSync(file).isFile()) return null;
    const digest = runningDigest();
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let size = 0;
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      digest.update(chunk.subarray(0, read));
      size += read;
      onRead();
    }
    return { size, sha256: digest.digest('hex') };
  } finally {
    closeSync(file);
  }
}

/** O_NONBLOCK: does not wait for a pipe. */
function openIfPresent(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

export const isNameTaken = (error: unknown): boolean => codeOf(error) === 'EEXIST';

/** Of file systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Publishes `part` without overwriting a file (ADR 10); where possible it stays as a second link. @throws
 * EEXIST
 */
export async function giveName(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    await giveReservedName(part, path);
  }
}

/** Renames over a reserved empty file. @throws EEXIST */
export async function giveReservedName(part: string, path: string): Promise<void> {
  const reserved = await open(path, 'wx', 0o600);
  await reserved.close();
  try {
    await rename(part, path);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');
