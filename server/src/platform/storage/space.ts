/** Free space of the data folder, and what works without it (ADR 15). */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Log } from '../log.ts';
import { SERVER_TEXTS } from '../texts.ts';
import { statfs, open } from 'node:fs/promises';
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';

const MIB = 1024 * 1024;
/** Milliseconds that a measurement with enough space is valid. */
const FRESH_FOR = 250;

interface BookedRoom {
  /** Books nothing, because announced bytes may never arrive. @throws AppError `insufficient_storage` */
  demand(bytes: number): Promise<void>;
  /** @throws AppError `insufficient_storage` */
  add(bytes: number): Promise<void>;
  release(): void;
}

/** Part of the reserve that each kind of caller leaves to others. */
const LEAVES = { reader: 1 / 2, member: 1 / 4, admin: 0 } as const;
type ReserveUser = keyof typeof LEAVES;

export interface Space {
  /** At most 250 ms old if there was enough, otherwise measured now. */
  look(): Promise<Disk>;
  /** False if a recent measurement found enough; synchronous. */
  mayBeLow(): boolean;
  /** True below the margin: content is read-only then. */
  isLow(): Promise<boolean>;
  /** Problem and next step; null while enough is free. */
  problem(): Promise<string | null>;
  /** Booked bytes count as used. */
  book(): BookedRoom;
  /**
   * Releases a piece of the reserve if the disk is almost full. @throws AppError `insufficient_storage` if
   * the rest is for others
   */
  ease(user: ReserveUser): Promise<void>;
  /** Restores the reserve if there is room. */
  refill(): Promise<void>;
  /** Bytes. */
  reserve(): number;
}

/** @param holdsVault false with PostgreSQL: this disk never counts as low */
export function openSpace(dataDir: string, { log, holdsVault }: { log: Log; holdsVault: boolean }): Space {
  const reserve = openReserve(dataDir);
  let booked = 0;
  let seen: { readonly at: number; readonly disk: Disk } | null = null;
  let looking: Promise<Disk> | null = null;
  let wasLow = false;
  const lowText = holdsVault ? SERVER_TEXTS.vaultDiskLow : SERVER_TEXTS.workDiskLow;

  async function measure(): Promise<Disk> {
    const disk = await measureDisk(dataDir);
    seen = { at: performance.now(), disk };
    tell(disk);
    return disk;
  }
  const lookNow = () => {
    looking ??= measure().finally(() => {
      looking = null;
    });
    return looking;
  };
  const isLowOn = (disk: Disk) => !takes(disk, { bytes: 0, files: 0 });
  /** A low result is never cached, because a purge may have freed some. */
  const goodDisk = () =>
    seen !== null && performance.now() - seen.at < FRESH_FOR && !isLowOn(seen.disk) ? seen.disk : null;
  const look = async () => goodDisk() ?? lookNow();

  function tell(disk: Disk): void {
    if (isLowOn(disk) === wasLow) return;
    wasLow = !wasLow;
    const numbers = { free_mib: Math.floor(disk.free / MIB), needed_mib: Math.ceil(disk.margin / MIB) };
    if (wasLow) log.error(numbers, lowText);
    else log.info(numbers, 'The disk of DATA_DIR has room again.');
  }

  return {
    look,
    mayBeLow: () => holdsVault && goodDisk() === null,
    isLow: async () => holdsVault && isLowOn(await look()),
    problem: async () => (isLowOn(await look()) ? lowText : null),
    book() {
      let own = 0;
      const judge = async (bytes: number, taken: number) => {
        if (bytes === 0 || !holdsVault) return;
        const disk = await lookNow();
        if (!takes(disk, { bytes: booked + bytes, files: 1 })) {
          throw new AppError('insufficient_storage', { message: SERVER_TEXTS.noRoomFor(bytes) });
        }
        booked += taken;
        own += taken;
      };
      return {
        demand: (bytes) => judge(bytes, 0),
        add: (bytes) => judge(bytes, bytes),
        release() {
          booked -= own;
          own = 0;
        },
      };
    },
    async ease(user) {
      if (!holdsVault) return;
      const { free, total } = await measureDisk(dataDir);
      const piece = pieceOf(total);
      const left = reserve.size();
      if (free >= piece) return;
      const isForOthers = left <= reserveOf(total) * LEAVES[user];
      if (isForOthers && user !== 'admin') {
        throw new AppError('insufficient_storage', { message: SERVER_TEXTS.diskFull });
      }
      if (isForOthers) return;
      reserve.giveUp(piece - free);
      if (reserve.size() === 0) log.error('The disk of DATA_DIR is full and its reserve is used up. Free space now.');
    },
    async refill() {
      const disk = await lookNow();
      if (!holdsVault) return;
      const [wanted, left] = [reserveOf(disk.total), reserve.size()];
      if (left >= wanted || !takes(disk, { bytes: booked + wanted - left, files: 1 })) return;
      await reserve.make(wanted);
    },
    reserve: () => reserve.size(),
  };
}

/** A planned write. */
interface Room {
  readonly bytes: number;
  readonly files: number;
}

/** In bytes. */
interface Disk {
  readonly total: number;
  /** Without blocks that are reserved for root. */
  readonly free: number;
  /** Must stay free: 5 % of the disk, at most 256 MiB. */
  readonly margin: number;
  /** Free inodes; Infinity if the file system has no limit. */
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

/** Whether `room` fits and the margin stays free. False if no byte or inode is free. */
export const takes = ({ free, margin, freeFiles }: Omit<Disk, 'total'>, { bytes, files }: Room): boolean =>
  free - bytes >= Math.max(1, margin) && freeFiles - files >= MARGIN_FILES;

export const hasRoom = async (folder: string, room: Room): Promise<boolean> => takes(await measureDisk(folder), room);

/** Bytes that may be written before free space is checked again. */
export const LOOK_EVERY = 4 * MIB;

/** @throws AppError `insufficient_storage` if the write does not fit */
export async function demandRoom(folder: string, room: Room): Promise<void> {
  if (!(await hasRoom(folder, room))) throw new AppError('insufficient_storage');
}

/**
 * A file of random bytes in the data folder, released in pieces on a full disk, so that a site admin can free
 * space.
 */
export const RESERVE_FILE = 'reserve';
const PART = 0.05;
const MOST_BYTES = 32 * MIB;
const PIECE_BYTES = 2 * MIB;

/** For a disk of `total` bytes. */
export const reserveOf = (total: number): number => Math.min(MOST_BYTES, Math.floor(total * PART));
/** Bytes to release before an essential write on a full disk of `total` bytes. */
export const pieceOf = (total: number): number =>
  Math.max(Math.ceil(reserveOf(total) / 4), Math.min(PIECE_BYTES, reserveOf(total)));

interface Reserve {
  size(): number;
  /** Shrinks the file by `bytes`; works on a full disk. */
  giveUp(bytes: number): void;
  /** Grows the file to `bytes`. On failure it is removed. */
  make(bytes: number): Promise<void>;
}

export function openReserve(dataDir: string): Reserve {
  const path = join(dataDir, RESERVE_FILE);
  return {
    size: () => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    giveUp(bytes) {
      const file = openSync(path, 'r+');
      try {
        ftruncateSync(file, Math.max(0, fstatSync(file).size - bytes));
        // A journaling file system reuses blocks only after its journal is synced.
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    async make(bytes) {
      try {
        const file = await open(path, 'w', 0o600);
        try {
          // Some file systems do not allocate blocks for zeros.
          const block = randomBytes(MIB);
          for (let left = bytes; left > 0; left -= block.length)
            await file.write(block, 0, Math.min(left, block.length));
          await file.sync();
        } finally {
          await file.close();
        }
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      }
    },
  };
}
