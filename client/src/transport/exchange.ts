/** Ends after 30 s without bytes (docs/spec/product.md §9, docs/spec/api.md §1.6). */
import type { HeardTime } from './server-clock.ts';
import { CONNECTION_TEXTS } from '../texts/connection.ts';

export const REQUEST_TIMEOUT_MS = 30_000;

/** Limit of a JSON answer, against a hostile server that fills the memory. */
const MAX_ANSWER_BYTES = 96 * 1024 * 1024;

export const OPERATION_HEADER = 'x-operation-id';
export const CLEARING_HEADER = 'clear-site-data';
/** Compressed size of a compressed answer. */
const EXPECTED_HEADER = 'x-expected-bytes';

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly silenceMs?: number | undefined;
  readonly credentials?: 'omit' | undefined;
  /** Only `browser/exchange-with-progress.ts` calls it. */
  readonly onSent?: ((sent: number, total: number) => void) | undefined;
  /** Reports bytes of the answer; `total` is 0 if unknown. */
  readonly onReceived?: ((received: number, total: number) => void) | undefined;
  readonly maxBytes?: number | undefined;
  /** Returns success as a blob, on disk if large. */
  readonly isBlob?: boolean | undefined;
}

export interface Incoming {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: number | undefined;
  readonly time?: HeardTime;
  /** For undo. */
  readonly operationId: string | undefined;
  /** The answer made the browser delete the page's storage; our server never does. */
  readonly clearsStorage?: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly blob?: Blob;
}

/** The server is unreachable or silent. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** Offline mode: the server was not asked. */
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

/** Uses `fetch`, which reports no upload progress. @throws NetworkError; the signal's reason when aborted */
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
      credentials: outgoing.credentials ?? 'include',
      redirect: 'error',
      cache: 'no-store',
      signal: stop.signal,
      body: body ?? null,
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

/** No size limit: blobs do not lie in memory. */
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
