/** Disks for tests that fill or break them: file systems of their own, where the machine lets somebody mount one. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const isRoot = process.getuid?.() === 0;
export const MB = 1024 * 1024;

/** A disk of its own in a file: an ext4 file system that turns read-only at the first error, as those of servers do. */
export interface Disk {
  readonly folder: string;
  /** What the kernel does when the device reports an error it cannot get over. */
  fail(): void;
  /** Taken out, repaired, put in again. */
  repair(): void;
  remove(): void;
}

/** @throws where nobody may mount one */
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
      // Code 1: errors were found and corrected.
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

/** Free bytes without the blocks reserved for root. */
export function freeOn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Writes a file until at most `left` bytes are free; without a number until the disk is full. */
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
