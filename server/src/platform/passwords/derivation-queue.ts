/** Queue of all Argon2id derivations of this process, fair to every person and address (ADR 17). */
import { availableParallelism, totalmem } from 'node:os';
import { AppError } from '@passwordbroker/core/contract/problem';
import { networkOf } from '../networks.ts';

export interface DerivationQueue {
  /**
   * Owners take slots in turn. `isSignIn` may use the slot reserved for sign-ins.
   * @throws AppError `unavailable` if the owner has too many waiting, or after 15 s
   */
  run<T>(owner: string, work: () => Promise<T>, options?: { readonly isSignIn?: boolean }): Promise<T>;
  hasRoom(): boolean;
}

export interface DerivationLimits {
  /** At least 2; one is reserved for sign-ins. */
  readonly slots: number;
  readonly runningEach: number;
  readonly waitingEach: number;
  /** Longest wait, milliseconds. */
  readonly patience: number;
}

const EACH = { runningEach: 2, waitingEach: 4, patience: 15_000 } as const;
const RETRY_SECONDS = 2;

interface Caller {
  readonly actor: { readonly userId: string } | null;
  readonly origin: { readonly address: string };
}

/** The signed-in person, otherwise the address. */
export const ownerOf = ({ actor, origin }: Caller): string =>
  actor === null ? `address:${networkOf(origin.address)}` : ownerOfUser(actor.userId);

export const ownerOfUser = (userId: string): string => `user:${userId}`;

interface Waiting {
  readonly isSignIn: boolean;
  start(): void;
}

interface Share {
  running: number;
  readonly waiting: Waiting[];
}

export function derivationQueue({ slots, runningEach, waitingEach, patience }: DerivationLimits): DerivationQueue {
  /** Round robin: a started owner moves to the end. */
  const shares = new Map<string, Share>();
  let running = 0;
  let runningOthers = 0;

  const mayStart = ({ isSignIn }: Waiting) => isSignIn || runningOthers < slots - 1;

  const startNext = (): boolean => {
    if (running >= slots) return false;
    for (const [owner, share] of shares) {
      const at = share.running < runningEach ? share.waiting.findIndex(mayStart) : -1;
      const [next] = at === -1 ? [] : share.waiting.splice(at, 1);
      if (next === undefined) continue;
      shares.delete(owner);
      shares.set(owner, share);
      running += 1;
      share.running += 1;
      if (!next.isSignIn) runningOthers += 1;
      next.start();
      return true;
    }
    return false;
  };
  const startAll = () => {
    while (startNext());
  };

  const turn = (owner: string, isSignIn: boolean): Promise<Share> => {
    const share = shares.get(owner) ?? { running: 0, waiting: [] };
    return new Promise((resolve, reject) => {
      if (share.waiting.length >= waitingEach)
        return reject(new AppError('unavailable', { retryAfter: RETRY_SECONDS }));
      const waiting: Waiting = {
        isSignIn,
        start() {
          clearTimeout(timer);
          resolve(share);
        },
      };
      const timer = setTimeout(() => {
        share.waiting.splice(share.waiting.indexOf(waiting), 1);
        forget(owner, share);
        reject(new AppError('unavailable', { retryAfter: RETRY_SECONDS }));
      }, patience);
      share.waiting.push(waiting);
      shares.set(owner, share);
      startAll();
    });
  };

  const forget = (owner: string, share: Share) => {
    if (share.running === 0 && share.waiting.length === 0) shares.delete(owner);
  };

  return {
    hasRoom: () => running < slots,
    async run(owner, work, { isSignIn = false } = {}) {
      const share = await turn(owner, isSignIn);
      try {
        return await work();
      } finally {
        running -= 1;
        share.running -= 1;
        if (!isSignIn) runningOthers -= 1;
        forget(owner, share);
        startAll();
      }
    },
  };
}

const MEMORY_EACH = 256 * 1024 * 1024;
const MOST_SLOTS = 8;
/** For the sign-in slot, files, DNS lookups and WebCrypto. */
const OTHER_THREADS = 3;

export interface Machine {
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  readonly threads: number;
}

/** The least of cores, memory / 256 MiB and free pool threads, from 1 to 8; plus one for sign-ins. */
export function derivationLimits({ cores, memory, threads }: Machine): DerivationLimits {
  const slots = Math.min(cores, Math.floor(memory / MEMORY_EACH), threads - OTHER_THREADS, MOST_SLOTS);
  return { slots: Math.max(1, slots) + 1, ...EACH };
}

const DEFAULT_THREADS = 4;

/** Resources of this machine or its container. */
export function thisMachine(): Machine {
  const granted = process.constrainedMemory();
  const memory = granted > 0 ? Math.min(granted, totalmem()) : totalmem();
  const threads = Number(process.env['UV_THREADPOOL_SIZE']) || DEFAULT_THREADS;
  return { cores: availableParallelism(), memory, threads };
}
