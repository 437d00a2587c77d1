/**
 * One exchange with the server: what goes out, what comes back, nothing about its meaning. It ends by itself after 30 s in which nothing
 * happens (docs/spec/product.md §9); while bytes flow it lives on (docs/spec/api.md §1.6).
 */
import type { HeardTime } from './server-clock.ts';
import { CONNECTION_TEXTS } from '../texts/connection.ts';

export const REQUEST_TIMEOUT_MS = 30_000;

/** A JSON answer beyond this is refused: no list of ours comes near it, a hostile one must not fill the memory. */
const MAX_ANSWER_BYTES = 96 * 1024 * 1024;

export const OPERATION_HEADER = 'x-operation-id';
export const CLEARING_HEADER = 'clear-site-data';
/** Of an answer that is compressed on its way: how many bytes will be received. */
const EXPECTED_HEADER = 'x-expected-bytes';

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  readonly signal?: AbortSignal;
  /** Milliseconds of silence that end it. */
  readonly silenceMs?: number;
  /** Bytes of the body sent so far. Called only where the exchange can tell (`browser/exchange-with-progress.ts`). */
  readonly onSent?: (sent: number, total: number) => void;
  /** Bytes of the answer so far; the total is 0 where the server does not say it. */
  readonly onReceived?: (received: number, total: number) => void;
  /** More bytes than this are refused. */
  readonly maxBytes?: number;
  /** What was asked for comes as a blob, which the browser keeps on disk when it is large; a refusal as bytes. */
  readonly isBlob?: boolean;
}

export interface Incoming {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: number | undefined;
  /** When the server answered, and what this device's clock said around it. */
  readonly time?: HeardTime;
  /** Names the act, where it can be taken back. */
  readonly operationId: string | undefined;
  /** The answer made the browser delete what this page keeps. Our server never does. */
  readonly clearsStorage?: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly blob?: Blob;
}

/** The server could not be reached, or fell silent; `message` is the browser's own (docs/spec/product.md §8). */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** The database is offline: the server was not even asked (docs/spec/product.md §4). */
export class OfflineError extends NetworkError {
  constructor() {
    super(CONNECTION_TEXTS.offline);
  }
}

export class TimeoutError extends NetworkError {
  constructor(milliseconds: number) {
    super(CONNECTION_TEXTS.silent(milliseconds / 1000));
  }
}

/** By `fetch`, which reports no progress of uploads. @throws NetworkError; the signal's reason when aborted */
export async function exchange(outgoing: Outgoing): Promise<Incoming> {
  const { method, url, headers, body, signal, silenceMs = REQUEST_TIMEOUT_MS } = outgoing;
  const stop = new AbortController();
  const watch = watchSilence(silenceMs, () => stop.abort(new TimeoutError(silenceMs)));
  const forward = () => stop.abort(signal?.reason);
  if (signal?.aborted === true) forward();
  signal?.addEventListener('abort', forward, { once: true });
  const sentAt = Date.now();
  try {
    const response = await fetch(url, {
      method,
      headers,
      credentials: 'include',
      redirect: 'error',
      cache: 'no-store',
      signal: stop.signal,
      ...(body === undefined ? {} : { body }),
    });
    watch.alive();
    const time = { date: dateOf(response.headers.get('date')), sentAt, heardAt: Date.now() };
    return {
      time,
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      retryAfter: secondsOf(response.headers.get('retry-after')),
      operationId: response.headers.get(OPERATION_HEADER) ?? undefined,
      clearsStorage: isClearing(response.headers.get(CLEARING_HEADER)),
      ...(outgoing.isBlob === true && response.ok
        ? { bytes: new Uint8Array(), blob: await readBlob(response, outgoing, watch.alive) }
        : { bytes: await readAll(response, outgoing, watch.alive) }),
    };
  } catch (failure) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw failure instanceof NetworkError ? failure : new NetworkError(textOf(failure), { cause: failure });
  } finally {
    watch.stop();
    signal?.removeEventListener('abort', forward);
  }
}

/** As many bytes as come: they do not lie in the page's memory. */
async function readBlob(response: Response, { onReceived }: Outgoing, alive: () => void): Promise<Blob> {
  const total = Number(response.headers.get('content-length') ?? 0);
  let received = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, on) {
      alive();
      received += chunk.length;
      onReceived?.(received, total);
      on.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counter) ?? null).blob();
}

async function readAll(response: Response, outgoing: Outgoing, alive: () => void): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes = MAX_ANSWER_BYTES, onReceived } = outgoing;
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const total = Number(response.headers.get(EXPECTED_HEADER) ?? response.headers.get('content-length') ?? 0);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    alive();
    received += value.length;
    if (received > maxBytes) {
      await reader.cancel();
      throw new NetworkError('The answer of the server is too large');
    }
    chunks.push(value);
    onReceived?.(received, total);
  }
  const whole = new Uint8Array(received);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

export const isClearing = (header: string | null): boolean => /"(?:storage|\*)"/i.test(header ?? '');

/** Not a number where the answer has none. */
const dateOf = (header: string | null) => Date.parse(header ?? '');

export function watchSilence(milliseconds: number, onSilence: () => void) {
  let timer = setTimeout(onSilence, milliseconds);
  return {
    alive: () => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, milliseconds);
    },
    stop: () => clearTimeout(timer),
  };
}

export const secondsOf = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : undefined);
const textOf = (failure: unknown) => (failure instanceof Error ? failure.message : String(failure));
