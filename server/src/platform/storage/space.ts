/** Free space of the data folder, and what works without it (ADR 15). */
import { AppError } from '@passwordbroker/core/contract/problem';
import { measureDisk, takes } from './free-space.ts';
import type { Disk } from './free-space.ts';
import type { Log } from '../log.ts';
import { openReserve, pieceOf, reserveOf } from './reserve.ts';
import { SERVER_TEXTS } from '../texts.ts';

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
