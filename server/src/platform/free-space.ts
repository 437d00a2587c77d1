/** What is left of a disk: asked before much is written, and again while it is. */
import { statfs } from 'node:fs/promises';
import { AppError } from '@passwordbroker/core/contract/problem';

/** What is about to be written. */
export interface Room {
  readonly bytes: number;
  readonly files: number;
}

/** As the readiness check has it. */
const KEPT_PART = 0.05;
const KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_FILES = 200;

/** Whether the disk of `folder` takes that and has enough left for everything else. */
export async function hasRoom(folder: string, { bytes, files }: Room): Promise<boolean> {
  const { bavail, blocks, bsize, ffree, files: most } = await statfs(folder);
  const left = bavail * bsize - bytes;
  // Some disks make the places of files as they go, and say that they have none at all.
  const takesFiles = most === 0 || ffree - files >= KEPT_FILES;
  return takesFiles && left >= Math.max(KEPT_BYTES, blocks * bsize * KEPT_PART);
}

/** How many bytes may be written before the disk is looked at again. */
export const LOOK_EVERY = 32 * 1024 * 1024;

/** @throws AppError `insufficient_storage` */
export async function demandRoom(folder: string, room: Room): Promise<void> {
  if (!(await hasRoom(folder, room))) throw new AppError('insufficient_storage');
}
