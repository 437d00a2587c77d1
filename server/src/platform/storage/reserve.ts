/** Random bytes, released on a full disk, so that a site admin can free space. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';

const MIB = 1024 * 1024;
export const RESERVE_FILE = 'reserve';
const PART = 0.05;
const MOST_BYTES = 32 * MIB;
const PIECE_BYTES = 2 * MIB;

/** For a disk of `total` bytes. */
export const reserveOf = (total: number): number => Math.min(MOST_BYTES, Math.floor(total * PART));
/** Bytes to release before an essential write. */
export const pieceOf = (total: number): number =>
  Math.max(Math.ceil(reserveOf(total) / 4), Math.min(PIECE_BYTES, reserveOf(total)));

export interface Reserve {
  size(): number;
  /** Works on a full disk. */
  giveUp(bytes: number): void;
  /** On failure the file is removed. */
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
        // Blocks are reused only after the journal is synced.
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    async make(bytes) {
      try {
        const file = await open(path, 'w', 0o600);
        try {
          // Some file systems allocate no blocks for zeros.
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
