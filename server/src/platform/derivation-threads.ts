/**
 * Derivations of a storm of logins in threads of their own, as many as derive at once. The library's own way is Node's pool of four threads, which take turns: on two
 * cores one is woken beside a derivation that goes on while the other core has nothing to do, which costs a seventh of all derivations, and files wait behind them.
 * Whoever derives alone does not wait for a thread to start.
 */
import type { Options as Cost } from '@node-rs/argon2';
import type { Argon2Library } from './argon2.ts';
import { startThread } from './thread.ts';

export type Wanted =
  | { readonly kind: 'verify'; readonly phc: string; readonly password: string }
  | { readonly kind: 'hash'; readonly password: string; readonly options: Cost }
  | { readonly kind: 'hashRaw'; readonly password: Uint8Array; readonly options: Cost };

/** What the library answers to it, or says. */
export type Derived = { readonly value: unknown } | { readonly failure: string };

export interface DerivationThreads extends Argon2Library {
  /** How many there are at present. */
  count(): number;
}

interface Thread {
  derive(wanted: Wanted): Promise<Derived>;
  end(): void;
}

/** A heap of its own, which derivations do not need. */
const HEAP = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

/** After so long without work a thread gives its memory back. */
const IDLE_MS = 10_000;

interface Room {
  /** How many derive at once when there is a storm: then nobody is left to the library's own way. */
  readonly atOnce: number;
  /** The library's own way. */
  readonly direct: Argon2Library;
  readonly idleMs?: number;
}

export function derivationThreads({ atOnce, direct, idleMs = IDLE_MS }: Room): DerivationThreads {
  const resting: Thread[] = [];
  let threads = 0;
  let running = 0;
  let idle: NodeJS.Timeout | undefined;

  const end = () => {
    for (const thread of resting.splice(0)) thread.end();
  };

  /** There is a storm when as many derive as may, one of them in the library's own way: a thread more for whoever comes next. */
  const reinforce = () => {
    // One core has nothing to do beside a derivation.
    if (atOnce === 1 || running < atOnce || threads === atOnce) return;
    threads += 1;
    const thread = startDeriving(() => {
      threads -= 1;
      const at = resting.indexOf(thread);
      if (at !== -1) resting.splice(at, 1);
    });
    resting.push(thread);
  };

  async function derive<T>(wanted: Wanted, otherwise: () => Promise<T>): Promise<T> {
    clearTimeout(idle);
    running += 1;
    try {
      // The one that rests for the shortest time has everything at hand.
      const thread = resting.pop();
      if (thread === undefined) {
        reinforce();
        return await otherwise();
      }
      const derived = await thread.derive(wanted).catch(() => null);
      // The thread has failed, which says nothing of what it was to do.
      if (derived === null) return await otherwise();
      resting.push(thread);
      if ('failure' in derived) throw new Error(derived.failure);
      return derived.value as T;
    } finally {
      running -= 1;
      if (running === 0) idle = setTimeout(end, idleMs).unref();
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

/** @param onEnd the thread is no more, for whatever reason */
function startDeriving(onEnd: () => void): Thread {
  const worker = startThread('derivation-worker', import.meta.url, { resourceLimits: HEAP });
  worker.unref();
  let answer: { resolve: (derived: Derived) => void; reject: (error: Error) => void } | null = null;
  worker.on('message', (derived: Derived) => answer?.resolve(derived));
  worker.on('error', (error: Error) => answer?.reject(error));
  worker.on('exit', () => {
    answer?.reject(new Error('the derivation ended with its thread'));
    onEnd();
  });
  return {
    derive: (wanted) =>
      new Promise<Derived>((resolve, reject) => {
        answer = { resolve, reject };
        worker.postMessage(wanted);
      }),
    end: () => void worker.terminate(),
  };
}
