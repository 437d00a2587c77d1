/** Room for the vault on the disk of the data folder, and what works when there is none (`docs/adr/0015-storage.md`). */
import { AppError } from '@passwordbroker/core/contract/problem';
import { measureDisk, takes } from './free-space.ts';
import type { Disk } from './free-space.ts';
import type { Log } from './log.ts';
import { openReserve, pieceOf, reserveOf } from './reserve.ts';
import { SERVER_TEXTS } from './texts.ts';

const MIB = 1024 * 1024;
/** An answer about the disk that is younger is good enough for a small write, milliseconds. */
const FRESH_FOR = 250;

/** Bytes that a request is about to write. */
interface BookedRoom {
  /** Whether so much has room now. Books nothing: what is announced may never come. @throws AppError `insufficient_storage` */
  demand(bytes: number): Promise<void>;
  /** Books what has come. @throws AppError `insufficient_storage` */
  add(bytes: number): Promise<void>;
  release(): void;
}

/** The part of the reserve that each leaves to the others: people who read to those who make room, both to site admins and sign-ins. */
const LEAVES = { reader: 1 / 2, member: 1 / 4, admin: 0 } as const;
type ReserveUser = keyof typeof LEAVES;

export interface Space {
  /** The disk as it is, or as it was a quarter of a second ago where there was room then. */
  look(): Promise<Disk>;
  /** Whether less is free than the margin: content is read-only then. */
  isLow(): Promise<boolean>;
  /** What is wrong and what to do; null while enough is free. */
  problem(): Promise<string | null>;
  /** Room for one request. What others have booked counts as written. */
  book(): BookedRoom;
  /** Gives up a piece of the reserve when next to nothing is free. @throws AppError `insufficient_storage` when what is left of it is for others */
  ease(user: ReserveUser): Promise<void>;
  /** Makes the reserve again where there is room for it. */
  refill(): Promise<void>;
  /** Bytes of the reserve that are left. */
  reserve(): number;
}

/** @param holdsVault rows and files lie on this disk; else a database server has them, and nothing here is ever low */
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
  /** That there is no room is asked again each time: a purge may have made some. */
  async function look(): Promise<Disk> {
    const isGood = seen !== null && performance.now() - seen.at < FRESH_FOR && !isLowOn(seen.disk);
    return isGood && seen !== null ? seen.disk : lookNow();
  }

  function tell(disk: Disk): void {
    if (isLowOn(disk) === wasLow) return;
    wasLow = !wasLow;
    const numbers = { free_mib: Math.floor(disk.free / MIB), needed_mib: Math.ceil(disk.margin / MIB) };
    if (wasLow) log.error(numbers, lowText);
    else log.info(numbers, 'The disk of DATA_DIR has room again.');
  }

  return {
    look,
    isLow: async () => holdsVault && isLowOn(await look()),
    problem: async () => (isLowOn(await look()) ? lowText : null),
    book() {
      let own = 0;
      /** @param taken how much of it is booked from the moment of the answer on */
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
