/**
 * Typed calls between the parts of the extension, checked by who sends them. The background hears messages of the
 * runtime, the keeper hears connections: no part receives what is meant for another.
 */
import { api, type RuntimePort, type Sender } from './browser-api.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- each operation has its own input
export type Operations = Readonly<Record<string, (input: any) => Promise<unknown>>>;

export type Call<Table extends Operations> = <Name extends keyof Table & string>(
  name: Name,
  ...[input]: Parameters<Table[Name]>
) => Promise<Awaited<ReturnType<Table[Name]>>>;

/** What the person reads, and a code for programs. Without a text: the called part was restarted or is another version. */
export interface Failure {
  readonly code: string;
  readonly text: string;
}

class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: string;

  constructor({ code, text }: Failure) {
    super(text);
    this.code = code;
  }
}

type Answer = { readonly value: unknown } | { readonly failure: Failure };

interface Request {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

const KEEPER = 'keeper';

/** The popup, the options, the keeper or the background itself: pages and scripts of this extension, never a tab's. */
export function isOurs(sender: Sender | undefined): boolean {
  return sender?.id === api.runtime.id && (sender.url ?? '').startsWith(api.runtime.getURL(''));
}

/** @returns the answer for the caller. Never throws */
export async function answerCall(
  table: Operations,
  { name, input }: Pick<Request, 'name' | 'input'>,
  describe: (failure: unknown) => Failure,
): Promise<Answer> {
  const operation = Object.hasOwn(table, name) ? table[name] : undefined;
  if (operation === undefined) return { failure: { code: 'unknown', text: '' } };
  try {
    return { value: await operation(input) };
  } catch (failure) {
    return { failure: describe(failure) };
  }
}

export function isRequest(message: unknown): message is Request {
  return typeof message === 'object' && message !== null && 'name' in message && typeof message.name === 'string';
}

/** Answers connections of our own pages and of the background; others are ended. */
export function serveConnections(table: Operations, describe: (failure: unknown) => Failure): void {
  api.runtime.onConnect.addListener((port) => {
    if (port.name !== KEEPER || !isOurs(port.sender)) return port.disconnect();
    port.postMessage('listening');
    port.onMessage.addListener((message) => {
      if (!isRequest(message)) return;
      void answerCall(table, message, describe).then((answer) => {
        try {
          port.postMessage({ id: message.id, ...answer });
        } catch {
          // The popup was closed meanwhile.
        }
      });
    });
  });
}

/** @throws what the answer describes */
async function valueOf(answer: unknown): Promise<unknown> {
  if (typeof answer === 'object' && answer !== null && 'failure' in answer)
    throw await errorOf(answer.failure as Failure);
  return (answer as { readonly value?: unknown } | undefined)?.value;
}

/** The background starts before it knows the language: texts load later. */
async function errorOf({ code, text }: Failure): Promise<CallError> {
  if (text !== '') return new CallError({ code, text });
  const { EXTENSION_TEXTS } = await import('./texts/extension.ts');
  return new CallError({ code, text: EXTENSION_TEXTS.restarted });
}

/** Calls a table of the same page: what is thrown is described as for others. */
export function callHere<Table extends Operations>(
  table: Operations,
  describe: (failure: unknown) => Failure,
): Call<Table> {
  return (async (name: string, input: unknown) =>
    valueOf(await answerCall(table, { name, input }, describe))) as Call<Table>;
}

/** Calls a part of the same page that is still starting. */
export function callWhenStarted<Table extends Operations>(started: Promise<Call<Table>>): Call<Table> {
  return (async (name: string, input: unknown) => {
    const call = (await started) as (name: string, input: unknown) => Promise<unknown>;
    return call(name, input);
  }) as Call<Table>;
}

const RETRY_MS = 25;
/** Longest wait for the keeper, whose page may be loading. */
const START_MS = 15_000;
const GONE: Failure = { code: 'gone', text: '' };

/** Calls the keeper over one connection, made anew if it ended. @param start makes sure that the keeper's page is there */
export function connectKeeper<Table extends Operations>(start: () => Promise<unknown>): Call<Table> {
  let open: RuntimePort | null = null;
  let connecting: Promise<RuntimePort> | null = null;
  let nextId = 1;
  const waiting = new Map<number, (answer: unknown) => void>();

  /** @returns null if nothing listens yet */
  const tryToConnect = () =>
    new Promise<RuntimePort | null>((resolve) => {
      const port = api.runtime.connect({ name: KEEPER });
      port.onMessage.addListener((message) => {
        if (!isAnswer(message)) return resolve(port);
        waiting.get(message.id)?.(message);
        waiting.delete(message.id);
      });
      port.onDisconnect.addListener(() => {
        resolve(null);
        if (open === port) open = null;
        for (const end of waiting.values()) end({ failure: GONE });
        waiting.clear();
      });
    });

  async function connect(): Promise<RuntimePort> {
    const last = Date.now() + START_MS;
    while (Date.now() < last) {
      // Mostly it is there: starting goes through the background, which may be stopped.
      const port = await tryToConnect();
      if (port !== null) return (open = port);
      await start();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    throw await errorOf(GONE);
  }

  return (async (name: string, input: unknown) => {
    const port = open ?? (await (connecting ??= connect().finally(() => (connecting = null))));
    const id = nextId;
    nextId += 1;
    const answer = await new Promise((resolve) => {
      waiting.set(id, resolve);
      port.postMessage({ id, name, input });
    });
    return valueOf(answer);
  }) as Call<Table>;
}

const isAnswer = (message: unknown): message is Answer & { readonly id: number } =>
  typeof message === 'object' && message !== null && 'id' in message;

/** Calls the background. It is started if it was stopped. */
export function callBackground<Table extends Operations>(): Call<Table> {
  return (async (name: string, input: unknown) =>
    valueOf(await api.runtime.sendMessage({ name, input }))) as Call<Table>;
}
