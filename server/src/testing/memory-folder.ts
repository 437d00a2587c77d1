/** Puts short-lived test files into memory (`/dev/shm`) if it has room. */
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';

/**
 * Parent for temporary folders of at most `room` bytes: in memory if that much is free, otherwise the folder
 * for temporary files.
 */
export function memoryFolder(room: number): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= room ? MEMORY : tmpdir();
}
