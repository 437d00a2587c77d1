import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { runningDigest } from '../../platform/secrets.ts';

export interface FileDigest {
  readonly size: number;
  readonly sha256: string;
}

const CHUNK_BYTES = 1024 * 1024;

/** Synchronous: for worker threads only. Null unless it is a regular file. */
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

/** O_NONBLOCK: does not wait for the other end of a pipe. */
function openIfPresent(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
