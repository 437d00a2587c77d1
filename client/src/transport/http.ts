/** Typed calls of the contract. Caches nothing. */
import {
  fillPath,
  type AnswerOf,
  type BodyOf,
  type Call,
  type Endpoint,
  type Params,
  type QueryInput,
} from '@passwordbroker/core/contract/endpoint';
import { CLIENT_HEADER, clientText } from '@passwordbroker/core/contract/client';
import type { Face } from '@passwordbroker/core/contract/faces';
import { AppError, type ProblemCode } from '@passwordbroker/core/contract/problem';
import { CSRF_COOKIE } from '@passwordbroker/core/contract/account/session-calls';
import { readAnswer, readBy, readProblem } from './answers.ts';
import { nextTurn } from './waiting.ts';
import { createProofs, type Prover } from './proofs.ts';
import type { Read } from './read-json.ts';
import type { HeardTime } from './server-clock.ts';
import { exchange as exchangeByFetch, type Incoming, OfflineError, type Outgoing } from './exchange.ts';

interface Transfer {
  readonly signal?: AbortSignal | undefined;
  readonly onSent?: Outgoing['onSent'];
  readonly onReceived?: Outgoing['onReceived'];
  readonly silenceMs?: number;
  readonly maxBytes?: number;
  readonly isBlob?: boolean;
  /** Version for optimistic locking (docs/spec/api.md §3.4). */
  readonly ifMatch?: number;
  /** For endpoints that need a proof in some cases. */
  readonly isProven?: boolean;
}

/** `operationId` is for undo; null: cannot be undone. */
interface UndoableAnswer<T> {
  readonly value: T;
  readonly operationId: string | null;
}

type PathOptions<E extends Call> = keyof Params<E['path']> extends never
  ? { readonly params?: undefined }
  : { readonly params: Params<E['path']> };
type QueryOptions<E extends Call> =
  QueryInput<E> extends undefined ? { readonly query?: undefined } : { readonly query?: QueryInput<E> };
/** `form`: a multipart body instead of `body`. */
type BodyOptions<E extends Call> =
  BodyOf<E> extends undefined
    ? E extends { files: readonly string[] }
      ? { readonly form: FormData }
      : { readonly body?: undefined }
    : { readonly body: BodyOf<E> } | { readonly form: FormData };

type CallOptions<E extends Call> = Transfer & PathOptions<E> & QueryOptions<E> & BodyOptions<E>;
type Arguments<E extends Call> =
  Record<string, never> extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>];

interface LooseOptions extends Transfer {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly form?: FormData;
}

/** Larger answers are parsed in a task of their own. */
const LARGE_BYTES = 64 * 1024;
type Undoable = Endpoint & { readonly undoable: true };

const SAFE = new Set(['GET', 'HEAD']);

/** Gets no cookies (docs/spec/api.md §1.4). */
interface OtherServer {
  readonly origin: string;
  /** null: before signing in. */
  readonly token: string | null;
}

interface HttpOptions {
  /** Scheme and host; default: the page's own. */
  readonly origin?: string;
  readonly face: Face;
  /** null: tokens only, no XSRF token. */
  readonly cookies: CookieJar | null;
  readonly exchange?: (outgoing: Outgoing) => Promise<Incoming>;
  readonly hear?: (time: HeardTime) => void;
}

export function createHttp(options: HttpOptions) {
  const { origin = '', face, cookies, exchange = exchangeByFetch, hear = () => undefined } = options;
  let isSignedIn = false;
  /** Ends calls that need the session. */
  let sessionAbort = new AbortController();
  /** When going offline, ends calls that need no session. */
  let onlineAbort = new AbortController();
  let fetchingToken: Promise<unknown> | null = null;
  let other: OtherServer | null = null;
  let isOffline = false;
  const endListeners = new Set<() => void>();
  const clearListeners = new Set<() => void>();
  let restricted = () => undefined as void;
  const proofs = createProofs();

  /** Concurrent unsafe calls share one request. */
  const fetchToken = async () => {
    fetchingToken ??= send(CSRF_COOKIE, { signal: onlineAbort.signal }).finally(() => {
      fetchingToken = null;
    });
    await fetchingToken;
  };

  async function send(endpoint: Call, options: LooseOptions): Promise<Incoming> {
    // A bearer token needs no CSRF protection: the browser never adds it by itself.
    const jar = other === null && !SAFE.has(endpoint.method) ? cookies : null;
    if (jar !== null && readXsrfToken(jar) === null) await fetchToken();
    const token = jar === null ? null : readXsrfToken(jar);
    const { params = {}, query, body: json, form, ifMatch, isProven = endpoint.proof === true, ...transfer } = options;
    const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
    const { method } = endpoint;
    const path = fillPath<string>(endpoint.path, params) + queryText(query);
    const proof = isProven
      ? await proofs.headerFor({ method, path, body: typeof body === 'string' ? body : '' })
      : undefined;
    const incoming = await exchange({
      method,
      url: (other?.origin ?? origin) + path,
      headers: {
        Accept: endpoint.answer.type ?? 'application/json',
        [CLIENT_HEADER]: clientText(face),
        ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
        ...(token === null ? {} : { [XSRF_HEADER]: token }),
        ...((other?.token ?? null) === null ? {} : { Authorization: `Bearer ${other?.token}` }),
        ...(ifMatch === undefined ? {} : { 'If-Match': String(ifMatch) }),
        ...proof,
      },
      body,
      ...transfer,
    });
    if (incoming.time !== undefined) hear(incoming.time);
    if (incoming.clearsStorage === true) for (const listener of clearListeners) listener();
    return incoming;
  }

  async function answered(endpoint: Call, options: LooseOptions): Promise<Incoming> {
    const isOpen = endpoint.access === 'anyone';
    if (isOffline) throw new OfflineError();
    if (!isSignedIn && !isOpen) throw loggedOut();
    const within = { ...options, signal: eitherOf(isOpen ? onlineAbort.signal : sessionAbort.signal, options.signal) };
    const retried = new Set<ProblemCode>();
    for (;;) {
      const incoming = await send(endpoint, within);
      if (isSuccess(incoming)) return incoming;
      const problem = readProblem(incoming);
      if (retried.has(problem.code) || !canRetry(problem)) throw refused(endpoint, problem);
      retried.add(problem.code);
    }
  }

  /** Whether one retry makes sense. */
  function canRetry(problem: AppError): boolean {
    if (problem.code !== 'csrf_mismatch' && problem.message !== 'CSRF token mismatch.')
      return proofs.learnClock(problem);
    if (cookies !== null) dropXsrfToken(cookies);
    return true;
  }

  function abortSessionCalls(reason: Error) {
    sessionAbort.abort(reason);
    sessionAbort = new AbortController();
  }

  function endSession() {
    isSignedIn = false;
    abortSessionCalls(loggedOut());
  }

  function refused(endpoint: Call, problem: AppError): AppError {
    if (problem.code === 'second_factor_enrolment_required' || problem.code === 'sso_link_required') restricted();
    if (problem.code === 'unauthenticated' && endpoint.access !== 'anyone' && isSignedIn) {
      endSession();
      for (const listener of endListeners) listener();
    }
    return problem;
  }

  return {
    /**
     * @throws AppError a refusal, or 'user is logout' without a request; OfflineError while offline;
     * NetworkError without an answer; AnswerError outside the contract; the signal's reason when aborted
     */
    async call<const E extends Call>(endpoint: E, ...[options]: Arguments<E>): Promise<AnswerOf<E>> {
      const incoming = await answered(endpoint, (options ?? {}) as LooseOptions);
      if (incoming.bytes.length > LARGE_BYTES) await nextTurn();
      return readAnswer(endpoint.answer.schema, incoming) as AnswerOf<E>;
    },
    /** Checks the answer by hand. */
    async checked<const E extends Call>(
      call: Call,
      read: Read<AnswerOf<E>>,
      ...[options]: Arguments<E>
    ): Promise<AnswerOf<E>> {
      return readBy(read, await answered(call, (options ?? {}) as LooseOptions));
    },
    /** For operations that can be undone. */
    async callUndoable<const E extends Undoable>(
      endpoint: E,
      ...[options]: Arguments<E>
    ): Promise<UndoableAnswer<AnswerOf<E>>> {
      const incoming = await answered(endpoint, (options ?? {}) as LooseOptions);
      return {
        value: readAnswer(endpoint.answer.schema, incoming) as AnswerOf<E>,
        operationId: incoming.operationId ?? null,
      };
    },
    /** For answers that are not JSON. */
    async bytes<const E extends Call>(endpoint: E, ...[options]: Arguments<E>): Promise<Uint8Array<ArrayBuffer>> {
      return (await answered(endpoint, (options ?? {}) as LooseOptions)).bytes;
    },
    /** For answers too large for memory. */
    async blob<const E extends Call>(endpoint: E, ...[options]: Arguments<E>): Promise<Blob> {
      const incoming = await answered(endpoint, { ...((options ?? {}) as LooseOptions), isBlob: true });
      return incoming.blob ?? new Blob([incoming.bytes]);
    },
    setProver: (prover: Prover) => proofs.setProver(prover),
    /** Called by the session. False aborts every pending call that needs a session. */
    setSignedIn(signedIn: boolean) {
      if (signedIn) isSignedIn = true;
      else endSession();
    },
    /** True ends pending calls and refuses new ones with OfflineError. */
    setOffline(offline: boolean) {
      if (offline && !isOffline) {
        abortSessionCalls(new OfflineError());
        onlineAbort.abort(new OfflineError());
        onlineAbort = new AbortController();
      }
      isOffline = offline;
    },
    isOffline: () => isOffline,
    /** Called when an answer made the browser delete the page's storage. @returns unsubscribe */
    onStorageCleared(listener: () => void): () => void {
      clearListeners.add(listener);
      return () => clearListeners.delete(listener);
    },
    /** Called when the server demands a second factor or a link before anything else. */
    onRestricted: (listener: () => void) => void (restricted = listener),
    /** Called once when the server reports the end of the session. @returns unsubscribe */
    onSessionEnded(listener: () => void): () => void {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },
    /** null: the page's own. */
    setServer(server: OtherServer | null) {
      other = server;
    },
    server: (): string | null => other?.origin ?? null,
    hasXsrfToken: () => cookies !== null && readXsrfToken(cookies) !== null,
  };
}

export type Http = ReturnType<typeof createHttp>;

const loggedOut = () => new AppError('unauthenticated', { message: 'user is logout' });

const eitherOf = (one: AbortSignal, other: AbortSignal | undefined) =>
  other === undefined ? one : AbortSignal.any([one, other]);

const isSuccess = ({ status }: Incoming) => status >= 200 && status < 300;

function queryText(query: object | undefined): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Cookie that unsafe calls repeat in a header against CSRF (docs/spec/api.md §1.4). */
const COOKIE = 'XSRF-TOKEN';
const XSRF_HEADER = 'X-XSRF-TOKEN';

export interface CookieJar {
  read(): string;
  write(cookie: string): void;
}

/** Returns null if there is no cookie of exactly this name. */
function readXsrfToken(jar: CookieJar): string | null {
  for (const part of jar.read().split('; ')) {
    const border = part.indexOf('=');
    if (border > 0 && part.slice(0, border) === COOKIE) return decoded(part.slice(border + 1));
  }
  return null;
}

/** Deletes the token, so that the next unsafe call fetches one. */
function dropXsrfToken(jar: CookieJar): void {
  jar.write(`${COOKIE}=; Max-Age=0; Path=/`);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** One page of a long list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly current_page: number;
  readonly last_page: number;
  readonly per_page: number;
  readonly total: number;
}

/** A long call: `onProgress` hears a fraction from 0 to 1. */
export interface Watched {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (fraction: number) => void;
}
