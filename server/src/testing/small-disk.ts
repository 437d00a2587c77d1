/** Mounts a small file system for a test that fills it. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIB = 1024 * 1024;

export interface SmallDisk {
  readonly folder: string;
  /** Free bytes. */
  free(): number;
  /** Writes a ballast file until `left` bytes are free. */
  fill(left: number): void;
  /** Removes the ballast file. */
  empty(): void;
  remove(): void;
}

/** @throws Error if this process cannot mount */
export function mountSmallDisk(mib: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'none', folder], { stdio: 'pipe' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  const ballast = join(folder, 'ballast');
  const free = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    free,
    fill(left) {
      while (free() > left) appendFileSync(ballast, Buffer.alloc(Math.min(MIB, free() - left), 1));
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      // Lazy, as files may still be open there.
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

export function canMount(): boolean {
  try {
    mountSmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}
