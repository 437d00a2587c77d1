/** Calls to a worker. Messages are batched, because a shared tree causes hundreds at once. */
import type { CallName, InputOf, OutputOf, ProgressOf } from './calls.ts';
import type { Port } from '../platform.ts';
import { keyringError, KeyringError, type KeyringProblem } from './keyring-error.ts';

type Request = { readonly id: number; readonly name: CallName; readonly input: unknown } | { readonly cancel: number };
type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly progress: unknown }
  | { readonly id: number; readonly problem: KeyringProblem };

export interface CallOptions<Name extends CallName> {
  readonly transfer?: Transferable[];
  readonly onProgress?: ((progress: ProgressOf<Name>) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Remote {
  call<Name extends CallName>(name: Name, input: InputOf<Name>, options?: CallOptions<Name>): Promise<OutputOf<Name>>;
  /** Rejects all pending and later calls. */
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
  const requests = outbox<Request>(port, {
    soon: queueMicrotask,
    onUnsent: (request, failure) => {
      if ('id' in request) waiting.get(request.id)?.reject(failure);
    },
  });

  port.onmessage = ({ data }: MessageEvent<readonly Reply[]>) => {
    for (const reply of data) handleReply(reply);
  };

  function handleReply(reply: Reply) {
    const call = waiting.get(reply.id);
    if (call === undefined) return;
    if ('progress' in reply) {
      call.onProgress?.(reply.progress);
      return;
    }
    waiting.delete(reply.id);
    if ('problem' in reply) call.reject(keyringError(reply.problem));
    else call.resolve(reply.value);
  }

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
        requests.put({ cancel: id });
        waiting.get(id)?.reject(signal?.reason);
        waiting.delete(id);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        const value = await new Promise<unknown>((resolve, reject) => {
          waiting.set(id, { resolve, reject, onProgress: onProgress as Waiting['onProgress'] });
          requests.put({ id, name, input }, transfer);
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

/** `describe` removes what must not leave the worker. */
export function serve(port: Port, services: Services, describe: (failure: unknown) => KeyringProblem): void {
  const running = new Map<number, AbortController>();
  const replies = outbox<Reply>(port, {
    soon: (send) => void setTimeout(send),
    onUnsent: ({ id }, failure) => port.postMessage([{ id, problem: describe(failure) } satisfies Reply]),
  });
  port.onmessage = ({ data }: MessageEvent<readonly Request[]>) => {
    for (const request of data) {
      if ('cancel' in request) running.get(request.cancel)?.abort();
      else void answer(request);
    }
  };

  async function answer({ id, name, input }: Extract<Request, { id: number }>) {
    const stop = new AbortController();
    running.set(id, stop);
    try {
      const service = services[name] as (input: unknown, served: Served<CallName>) => Promise<unknown>;
      const progress = paced((now) => port.postMessage([{ id, progress: now } satisfies Reply]));
      const value = await service(input, { signal: stop.signal, onProgress: progress.tell });
      progress.catchUp();
      replies.put({ id, value });
    } catch (failure) {
      replies.put({ id, problem: describe(failure) });
    } finally {
      running.delete(id);
      // No other call could share the message.
      if (running.size === 0) replies.send();
    }
  }
}

interface Sending<Message> {
  /** Defers `send`; messages put before share one postMessage. */
  readonly soon: (send: () => void) => void;
  /** Structured cloning failed. */
  readonly onUnsent: (message: Message, failure: unknown) => void;
}

function outbox<Message>(port: Port, { soon, onUnsent }: Sending<Message>) {
  let messages: Message[] = [];
  let transfers: Transferable[][] = [];

  function send() {
    if (messages.length === 0) return;
    const [sent, transferred] = [messages, transfers];
    messages = [];
    transfers = [];
    try {
      port.postMessage(sent, transferred.flat());
    } catch {
      // One message that cannot be cloned must not drop the others.
      for (const [at, message] of sent.entries()) sendAlone(message, transferred[at] ?? []);
    }
  }

  function sendAlone(message: Message, transfer: Transferable[]) {
    try {
      port.postMessage([message], transfer);
    } catch (failure) {
      onUnsent(message, failure);
    }
  }

  return {
    put(message: Message, transfer: Transferable[] = []) {
      if (messages.length === 0) soon(send);
      messages.push(message);
      transfers.push(transfer);
    },
    send,
  };
}

const PROGRESS_EVERY_MS = 80;

/** `catchUp` reports a suppressed last value. */
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
