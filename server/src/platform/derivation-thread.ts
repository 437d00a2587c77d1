/** One thread that derives: how it is started, asked, and known to be gone. */
import type { Options } from '@node-rs/argon2';
import { startThread } from './thread.ts';

export type Wanted =
  | { readonly kind: 'verify'; readonly phc: string; readonly password: string }
  | { readonly kind: 'hash'; readonly password: string; readonly options: Options }
  | { readonly kind: 'hashRaw'; readonly password: Uint8Array; readonly options: Options };

/** What the library answers, or says against it. */
export type Derived = { readonly value: Uint8Array | string | boolean } | { readonly failure: string };

/** Said by the thread before anything else. */
export const READY = 'ready';

export interface DerivationThread {
  /** One at a time. @returns null where the thread has failed instead */
  derive(wanted: Wanted): Promise<Derived | null>;
  end(): void;
}

interface Listeners {
  /** It can derive. */
  readonly onReady: () => void;
  /** It is no more, for whatever reason. */
  readonly onEnd: () => void;
  /** It is about to be no more, and nobody has ended it. */
  readonly onFailure: (error: unknown) => void;
}

/** @throws Error where the system gives no thread */
export type StartDeriving = (listeners: Listeners) => DerivationThread;

/** A heap of its own, which derivations do not need. */
const HEAP = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

export const startDeriving: StartDeriving = ({ onReady, onEnd, onFailure }) => {
  const worker = startThread('derivation-worker', import.meta.url, { resourceLimits: HEAP });
  // Only while somebody waits for it does the process stay for it.
  worker.unref();
  let answer: ((derived: Derived | null) => void) | null = null;
  let isEnded = false;
  let isOver = false;
  const tell = (derived: Derived | null) => {
    worker.unref();
    answer?.(derived);
    answer = null;
  };
  const fail = (error: unknown) => {
    if (!isEnded) onFailure(error);
    isEnded = true;
    void worker.terminate();
  };
  worker.on('message', (message: Derived | typeof READY) => {
    if (message === READY) onReady();
    else tell(message);
  });
  worker.on('error', fail);
  worker.on('messageerror', fail);
  worker.on('exit', () => {
    isOver = true;
    fail(new Error('a thread that derives has ended'));
    tell(null);
    onEnd();
  });
  return {
    derive: (wanted) =>
      new Promise((resolve) => {
        if (isOver) return resolve(null);
        answer = resolve;
        worker.ref();
        try {
          worker.postMessage(...sent(wanted));
        } catch (error) {
          fail(error);
        }
      }),
    end() {
      isEnded = true;
      void worker.terminate();
    },
  };
};

/** A secret goes over as it is, no copy of it stays on the way; the caller's own is the caller's to wipe. */
function sent(wanted: Wanted): [Wanted, ArrayBuffer[]] {
  if (wanted.kind !== 'hashRaw') return [wanted, []];
  const password = new Uint8Array(wanted.password);
  return [{ ...wanted, password }, [password.buffer]];
}
