import { statfs } from 'node:fs/promises';
import { AppError } from '@passwordbroker/core/contract/problem';

const MIB = 1024 * 1024;

export interface Room {
  readonly bytes: number;
  readonly files: number;
}

/** In bytes. */
export interface Disk {
  readonly total: number;
  /** Without blocks reserved for root. */
  readonly free: number;
  /** 5 % of the disk, at most 256 MiB, stays free. */
  readonly margin: number;
  /** Free inodes; Infinity without a limit. */
  readonly freeFiles: number;
}

const MARGIN_PART = 0.05;
const MARGIN_BYTES = 256 * MIB;
const MARGIN_FILES = 200;

export async function measureDisk(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder);
  const total = blocks * bsize;
  return {
    total,
    free: bavail * bsize,
    margin: Math.min(MARGIN_BYTES, Math.ceil(total * MARGIN_PART)),
    freeFiles: files === 0 ? Infinity : ffree,
  };
}

/** Whether `room` fits and the margin stays free. */
export const takes = ({ free, margin, freeFiles }: Omit<Disk, 'total'>, { bytes, files }: Room): boolean =>
  free - bytes >= Math.max(1, margin) && freeFiles - files >= MARGIN_FILES;

export const hasRoom = async (folder: string, room: Room): Promise<boolean> => takes(await measureDisk(folder), room);

/** Bytes to write before free space is checked again. */
export const LOOK_EVERY = 4 * MIB;

/** @throws AppError `insufficient_storage` */
export async function demandRoom(folder: string, room: Room): Promise<void> {
  if (!(await hasRoom(folder, room))) throw new AppError('insufficient_storage');
}
