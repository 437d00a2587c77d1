/** Calls across a worker's border: one request, any number of progress notes, one reply. */
import type { CallName, InputOf, OutputOf, ProgressOf } from './calls.ts';
import { KeyringError, type KeyringProblem } from './keyring-error.ts';

type Request = { readonly id: number; readonly name: CallName; readonly input: unknown } | { readonly cancel: number };
type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly progress: unknown }
  | { readonly id: number; readonly problem: KeyringProblem };

/** The part of a worker, or of a message port, that is needed on either side. */
export interface Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

export interface CallOptions<Name extends CallName> {
  readonly transfer?: Transferable[];
  readonly onProgress?: ((progress: ProgressOf<Name>) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Remote {
  call<Name extends CallName>(name: Name, input: InputOf<Name>, options?: CallOptions<Name>): Promise<OutputOf<Name>>;
  /** Every call that waits ends with this, and so does every later one. */
  close(problem: KeyringProblem): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (failure: unknown) => void;
  readonly onProgress: ((progress: unknown) => void) | undefined;
}

export function connect(port: Port): Remote {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let closed: KeyringProblem | null = null;

  port.onmessage = ({ data }: MessageEvent<Reply>) => {
    const call = waiting.get(data.id);
    if (call === undefined) return;
    if ('progress' in data) {
      call.onProgress?.(data.progress);
      return;
    }
    waiting.delete(data.id);
    if ('problem' in data) call.reject(new KeyringError(data.problem));
    else call.resolve(data.value);
  };

  return {
    async call<Name extends CallName>(
      name: Name,
      input: InputOf<Name>,
      { transfer = [], onProgress, signal }: CallOptions<Name> = {},
    ): Promise<OutputOf<Name>> {
      signal?.throwIfAborted();
      if (closed !== null) throw new KeyringError(closed);
      lastId += 1;
      const id = lastId;
      const cancel = () => {
        port.postMessage({ cancel: id } satisfies Request);
        waiting.get(id)?.reject(signal?.reason);
        waiting.delete(id);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        const value = await new Promise<unknown>((resolve, reject) => {
          waiting.set(id, { resolve, reject, onProgress: onProgress as Waiting['onProgress'] });
          port.postMessage({ id, name, input } satisfies Request, transfer);
        });
        return value as OutputOf<Name>;
      } finally {
        waiting.delete(id);
        signal?.removeEventListener('abort', cancel);
      }
    },
    close(problem) {
      closed = problem;
      for (const call of waiting.values()) call.reject(new KeyringError(problem));
      waiting.clear();
    },
  };
}

export interface Served<Name extends CallName> {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ProgressOf<Name>) => void;
}

export type Services = {
  readonly [Name in CallName]: (input: InputOf<Name>, served: Served<Name>) => Promise<OutputOf<Name>>;
};

/** Answers calls until the worker ends. `describe` turns whatever was thrown into what may leave the worker. */
export function serve(port: Port, services: Services, describe: (failure: unknown) => KeyringProblem): void {
  const running = new Map<number, AbortController>();
  port.onmessage = ({ data }: MessageEvent<Request>) => {
    if ('cancel' in data) {
      running.get(data.cancel)?.abort();
      return;
    }
    void answer(data);
  };

  async function answer({ id, name, input }: Extract<Request, { id: number }>) {
    const stop = new AbortController();
    running.set(id, stop);
    try {
      const service = services[name] as (input: unknown, served: Served<CallName>) => Promise<unknown>;
      const progress = paced((now) => port.postMessage({ id, progress: now } satisfies Reply));
      const value = await service(input, { signal: stop.signal, onProgress: progress.tell });
      progress.catchUp();
      port.postMessage({ id, value } satisfies Reply);
    } catch (failure) {
      port.postMessage({ id, problem: describe(failure) } satisfies Reply);
    } finally {
      running.delete(id);
    }
  }
}

/** Nobody sees more of it, and every picture of it costs the work that it is about. */
const PROGRESS_EVERY_MS = 80;

/** Tells at once what comes after a while, and the newest of what comes sooner when it is asked to. */
function paced(tell: (progress: unknown) => void) {
  let last = -Infinity;
  let untold: { readonly progress: unknown } | null = null;
  return {
    tell: (progress: unknown) => {
      const now = performance.now();
      if (now - last < PROGRESS_EVERY_MS) {
        untold = { progress };
        return;
      }
      last = now;
      untold = null;
      tell(progress);
    },
    catchUp: () => {
      if (untold !== null) tell(untold.progress);
    },
  };
}
