/** A file system in the memory of the machine, where it has one with room: files that live as long as a test need no disk. */
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';

/** Where temporary folders that hold at most `room` bytes are made: in memory where that is free, else where the machine has them. */
export function memoryFolder(room: number): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= room ? MEMORY : tmpdir();
}
