/** A small file system of its own for a test that fills it, where this process may mount one. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIB = 1024 * 1024;

export interface SmallDisk {
  readonly folder: string;
  /** Bytes that are free. */
  free(): number;
  /** Another program that takes all but `left` bytes. */
  fill(left: number): void;
  /** That program gives everything back. */
  empty(): void;
  remove(): void;
}

/** @throws where nothing can be mounted */
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
      // Also while something is open there.
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
