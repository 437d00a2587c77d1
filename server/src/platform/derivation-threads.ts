/**
 * Derivations of a storm of logins in threads of their own, as many as derive at once. The library's own way is Node's pool of four threads, which take turns: on two
 * cores one is woken beside a derivation that goes on while the other core has nothing to do, which costs a seventh of all derivations, and files wait behind them.
 * Whoever derives alone goes the library's own way, and so does everybody once a thread has failed.
 */
import type { Argon2Library } from './argon2.ts';
import { startDeriving } from './derivation-thread.ts';
import type { DerivationThread, StartDeriving, Wanted } from './derivation-thread.ts';

export interface DerivationThreads extends Argon2Library {
  /** How many there are at present. */
  count(): number;
}

/** After so long without work a thread gives its memory back. */
const IDLE_MS = 10_000;

interface Room {
  /** How many derive at once when there is a storm. */
  readonly atOnce: number;
  /** The library's own way. */
  readonly direct: Argon2Library;
  /** A thread has failed: there will be none any more. */
  readonly onFailure: (error: unknown) => void;
  readonly idleMs?: number;
  readonly start?: StartDeriving;
}

interface Resting {
  readonly thread: DerivationThread;
  readonly idle: NodeJS.Timeout;
}

export function derivationThreads(room: Room): DerivationThreads {
  const { atOnce, direct, onFailure, idleMs = IDLE_MS, start = startDeriving } = room;
  const resting: Resting[] = [];
  let threads = 0;
  let running = 0;
  let hasFailed = false;

  const rest = (thread: DerivationThread) => {
    const idle = setTimeout(() => {
      resting.splice(
        resting.findIndex((one) => one.thread === thread),
        1,
      );
      thread.end();
    }, idleMs).unref();
    resting.push({ thread, idle });
  };

  const failed = (error: unknown) => {
    if (!hasFailed) onFailure(error);
    hasFailed = true;
    for (const { thread, idle } of resting.splice(0)) {
      clearTimeout(idle);
      thread.end();
    }
  };

  /** There is a storm when as many derive as may, one of them the library's own way: a thread more for those who come when it has started. */
  const reinforce = () => {
    // One core has nothing to do beside a derivation.
    if (hasFailed || atOnce === 1 || running < atOnce || threads === atOnce) return;
    try {
      const thread = start({
        onReady: () => (hasFailed ? thread.end() : rest(thread)),
        onEnd: () => (threads -= 1),
        onFailure: failed,
      });
      threads += 1;
    } catch (error) {
      failed(error);
    }
  };

  async function derive<T>(wanted: Wanted, otherwise: () => Promise<T>): Promise<T> {
    running += 1;
    try {
      // The one that rests for the shortest time has everything at hand.
      const free = resting.pop();
      if (free === undefined) {
        reinforce();
        return await otherwise();
      }
      clearTimeout(free.idle);
      const derived = await free.thread.derive(wanted);
      // The thread has failed, which says nothing of what it was to do.
      if (derived === null) return await otherwise();
      if (hasFailed) free.thread.end();
      else rest(free.thread);
      if ('failure' in derived) throw new Error(derived.failure);
      return derived.value as T;
    } finally {
      running -= 1;
    }
  }

  return {
    verify: (phc, password) => derive({ kind: 'verify', phc, password }, () => direct.verify(phc, password)),
    hash: (password, options) => derive({ kind: 'hash', password, options }, () => direct.hash(password, options)),
    hashRaw: (password, options) =>
      derive({ kind: 'hashRaw', password, options }, () => direct.hashRaw(password, options)),
    count: () => threads,
  };
}
