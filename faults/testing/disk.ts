/** Separate file systems for tests that fill or break them; needs the right to mount. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const isRoot = process.getuid?.() === 0;
export const MB = 1024 * 1024;

/**
 * An ext4 file system in an image file; it becomes read-only at the first error, as usual on
 * servers.
 */
export interface Disk {
  readonly folder: string;
  /** Simulates what the kernel does after a persistent device error. */
  fail(): void;
  /** Unmounts, repairs and mounts it again. */
  repair(): void;
  remove(): void;
}

/** @throws Error if mounting is not allowed */
export function insertDisk(megabytes = 64): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-disk-'));
  const image = `${folder}.img`;
  writeFileSync(image, '');
  truncateSync(image, megabytes * MB);
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' }).toString().trim();
  const mount = () => run('mount', '-o', 'loop,errors=remount-ro', image, folder);
  const unmount = () => run('umount', folder);
  try {
    run('mkfs.ext4', '-q', image);
    mount();
  } catch (error) {
    rmSync(image);
    rmSync(folder, { recursive: true });
    throw error;
  }
  return {
    folder,
    fail: () =>
      writeFileSync(`/sys/fs/ext4/${basename(run('findmnt', '-no', 'SOURCE', folder))}/trigger_fs_error`, '1'),
    repair() {
      unmount();
      // fsck exit code 1: errors were corrected.
      run('sh', '-c', `fsck.ext4 -fy "$0" || test $? -eq 1`, image);
      mount();
    },
    remove() {
      unmount();
      rmSync(image);
      rmSync(folder, { recursive: true });
    },
  };
}

export function canInsert(): boolean {
  if (!isRoot) return false;
  try {
    insertDisk().remove();
    return true;
  } catch {
    return false;
  }
}

/** Free bytes, without blocks reserved for root. */
export function freeOn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Writes a file until at most `left` bytes are free; by default until the disk is full. */
export function fillUp(ballast: string, left = -1): void {
  const piece = Buffer.alloc(256 * 1024, 1);
  for (let written = 0; written < 1024 * MB; written += piece.length) {
    if (freeOn(dirname(ballast)) <= left) return;
    try {
      appendFileSync(ballast, piece);
    } catch {
      return;
    }
  }
  throw new Error('The disk does not get full');
}
