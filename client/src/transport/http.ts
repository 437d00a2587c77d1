/**
 * Calls of the contract, typed by it. One place knows the base address, the CSRF cookie, the timeout, and what ends a session. It keeps
 * no answer: reads without secrets are cached by the query client, secrets by nobody.
 */
import {
  fillPath,
  type AnswerOf,
  type BodyOf,
  type Endpoint,
  type Params,
  type QueryInput,
} from '@passwordbroker/core/contract/endpoint';
import { AppError, type ProblemCode } from '@passwordbroker/core/contract/problem';
import { csrfCookie } from '@passwordbroker/core/contract/account/session-calls';
import { readAnswer, readBy, readProblem } from './answers.ts';
import { nextTurn } from './next-turn.ts';
import { createProofs, type Prover } from './proofs.ts';
import type { Read } from './read-json.ts';
import type { HeardTime } from './server-clock.ts';
import { exchange as exchangeByFetch, type Incoming, OfflineError, type Outgoing } from './exchange.ts';
import { dropXsrfToken, readXsrfToken, XSRF_HEADER, type CookieJar } from './cookies.ts';

interface Transfer {
  readonly signal?: AbortSignal | undefined;
  readonly onSent?: Outgoing['onSent'];
  readonly onReceived?: Outgoing['onReceived'];
  readonly silenceMs?: number;
  readonly maxBytes?: number;
  /** Of `blob` alone. */
  readonly isBlob?: boolean;
  /** Version of what is replaced, where the server compares (docs/spec/api.md §3.4). */
  readonly ifMatch?: number;
  /** Proves the open keyring where the endpoint asks for it in some cases only. */
  readonly isProven?: boolean;
}

/** An answer with the name under which the act can be taken back; null when there is nothing to take back. */
interface Act<T> {
  readonly value: T;
  readonly operationId: string | null;
}

type PathOptions<E extends Endpoint> = keyof Params<E['path']> extends never
  ? { readonly params?: undefined }
  : { readonly params: Params<E['path']> };
type QueryOptions<E extends Endpoint> =
  QueryInput<E> extends undefined ? { readonly query?: undefined } : { readonly query?: QueryInput<E> };
/** `form` replaces `body` where bytes travel with it: a multipart body made by the caller. */
type BodyOptions<E extends Endpoint> =
  BodyOf<E> extends undefined
    ? { readonly body?: undefined }
    : { readonly body: BodyOf<E> } | { readonly form: FormData };

type CallOptions<E extends Endpoint> = Transfer & PathOptions<E> & QueryOptions<E> & BodyOptions<E>;
/** A call that needs nothing takes no options. */
type Arguments<E extends Endpoint> =
  Record<string, never> extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>];

interface LooseOptions extends Transfer {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly form?: FormData;
}

/** Answers above this are read in a turn of their own: checking them takes a while. */
const LARGE_BYTES = 64 * 1024;
type Undoable = Endpoint & { readonly undoable: true };

const SAFE = new Set(['GET', 'HEAD']);

/** Another server than the page's own. Cookies mean nothing to it (docs/spec/api.md §1.4). */
export interface OtherServer {
  readonly origin: string;
  /** null: before signing in. */
  readonly token: string | null;
}

export interface HttpOptions {
  /** Scheme and host, without slash; default the page's own. */
  readonly origin?: string;
  /** null: the server is spoken to with tokens only, so no XSRF token is fetched or sent. */
  readonly cookies: CookieJar | null;
  /** How bytes go out; default `fetch`. */
  readonly exchange?: (outgoing: Outgoing) => Promise<Incoming>;
  /** Told the time of each answer. */
  readonly hear?: (time: HeardTime) => void;
}

export function createHttp({ origin = '', cookies, exchange = exchangeByFetch, hear = () => undefined }: HttpOptions) {
  let isSignedIn = false;
  /** Ends with the session, and with it whatever is under way in somebody's name. */
  let life = new AbortController();
  /** Ends when the database goes offline, and with it whatever is under way in nobody's name. */
  let line = new AbortController();
  let fetchingToken: Promise<unknown> | null = null;
  let other: OtherServer | null = null;
  let isOffline = false;
  const endListeners = new Set<() => void>();
  const clearListeners = new Set<() => void>();
  const proofs = createProofs();

  /** Several unsafe calls at once fetch one token. */
  const fetchToken = async () => {
    fetchingToken ??= send(csrfCookie, { signal: line.signal }).finally(() => {
      fetchingToken = null;
    });
    await fetchingToken;
  };

  async function send(endpoint: Endpoint, options: LooseOptions): Promise<Incoming> {
    // A token signs its requests itself: nothing that another page makes the browser send carries it.
    const jar = other === null && !SAFE.has(endpoint.method) ? cookies : null;
    if (jar !== null && readXsrfToken(jar) === null) await fetchToken();
    const token = jar === null ? null : readXsrfToken(jar);
    const body = options.form ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const { signal, onSent, onReceived, silenceMs, maxBytes, ifMatch, isProven = endpoint.proof === true } = options;
    const { method } = endpoint;
    const path = fillPath<string>(endpoint.path, options.params ?? {}) + queryText(options.query);
    const proof = isProven
      ? await proofs.headerFor({ method, path, body: typeof body === 'string' ? body : '' })
      : undefined;
    const incoming = await exchange({
      method,
      url: (other?.origin ?? origin) + path,
      headers: {
        Accept: endpoint.answer.type ?? 'application/json',
        ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
        ...(token === null ? {} : { [XSRF_HEADER]: token }),
        ...((other?.token ?? null) === null ? {} : { Authorization: `Bearer ${other?.token}` }),
        ...(ifMatch === undefined ? {} : { 'If-Match': String(ifMatch) }),
        ...proof,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      ...(onSent === undefined ? {} : { onSent }),
      ...(onReceived === undefined ? {} : { onReceived }),
      ...(silenceMs === undefined ? {} : { silenceMs }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
      ...(options.isBlob === true ? { isBlob: true } : {}),
    });
    if (incoming.time !== undefined) hear(incoming.time);
    if (incoming.clearsStorage === true) for (const listener of clearListeners) listener();
    return incoming;
  }

  async function answered(endpoint: Endpoint, options: LooseOptions): Promise<Incoming> {
    const isOpen = endpoint.access === 'anyone';
    if (isOffline) throw new OfflineError();
    if (!isSignedIn && !isOpen) throw loggedOut();
    const within = { ...options, signal: eitherOf(isOpen ? line.signal : life.signal, options.signal) };
    const cured = new Set<ProblemCode>();
    for (;;) {
      const incoming = await send(endpoint, within);
      if (isSuccess(incoming)) return incoming;
      const problem = readProblem(incoming);
      if (cured.has(problem.code) || !isCured(problem)) throw refused(endpoint, problem);
      cured.add(problem.code);
    }
  }

  /** Whether the cause of a refusal is out of the way, so that the same call is worth one more try. */
  function isCured(problem: AppError): boolean {
    if (problem.code !== 'csrf_mismatch' && problem.message !== 'CSRF token mismatch.')
      return proofs.learnClock(problem);
    if (cookies !== null) dropXsrfToken(cookies);
    return true;
  }

  function endLife(reason: Error) {
    life.abort(reason);
    life = new AbortController();
  }

  function endSession() {
    isSignedIn = false;
    endLife(loggedOut());
  }

  function refused(endpoint: Endpoint, problem: AppError): AppError {
    if (problem.code === 'unauthenticated' && endpoint.access !== 'anyone' && isSignedIn) {
      endSession();
      for (const listener of endListeners) listener();
    }
    return problem;
  }

  return {
    /**
     * @throws AppError what the server refused, also 'user is logout' without asking it while nobody is signed in (docs/spec/product.md §4)
     * @throws OfflineError while the database is offline; NetworkError no answer; AnswerError an answer outside the contract; the signal's reason when aborted
     */
    async call<const E extends Endpoint>(endpoint: E, ...[options]: Arguments<E>): Promise<AnswerOf<E>> {
      const incoming = await answered(endpoint, (options ?? {}) as LooseOptions);
      if (incoming.bytes.length > LARGE_BYTES) await nextTurn();
      return readAnswer(endpoint.answer.schema, incoming) as AnswerOf<E>;
    },
    /** As `call`, for a call whose answer is checked by hand. */
    async checked<const E extends Endpoint>(
      call: Endpoint,
      read: Read<AnswerOf<E>>,
      ...[options]: Arguments<E>
    ): Promise<AnswerOf<E>> {
      return readBy(read, await answered(call, (options ?? {}) as LooseOptions));
    },
    /** As `call`, for an act that can be taken back. */
    async act<const E extends Undoable>(endpoint: E, ...[options]: Arguments<E>): Promise<Act<AnswerOf<E>>> {
      const incoming = await answered(endpoint, (options ?? {}) as LooseOptions);
      return {
        value: readAnswer(endpoint.answer.schema, incoming) as AnswerOf<E>,
        operationId: incoming.operationId ?? null,
      };
    },
    /** An answer that is not JSON, as bytes. Errors as in `call`. */
    async bytes<const E extends Endpoint>(endpoint: E, ...[options]: Arguments<E>): Promise<Uint8Array<ArrayBuffer>> {
      return (await answered(endpoint, (options ?? {}) as LooseOptions)).bytes;
    },
    /** As `bytes`, for what does not fit into the memory of a page. */
    async blob<const E extends Endpoint>(endpoint: E, ...[options]: Arguments<E>): Promise<Blob> {
      const incoming = await answered(endpoint, { ...((options ?? {}) as LooseOptions), isBlob: true });
      return incoming.blob ?? new Blob([incoming.bytes]);
    },
    /** Told by the session, which knows its id and the keyring. */
    setProver: (prover: Prover) => proofs.setProver(prover),
    /** Told by the session, which alone knows. At its end every call that is under way ends as a later one would. */
    setSignedIn(signedIn: boolean) {
      if (signedIn) isSignedIn = true;
      else endSession();
    },
    /**
     * While true every call is refused here, without asking the server, with an OfflineError; those under way end with one (docs/spec/product.md §4,
     * database mode). Told by the local copy, which alone knows.
     */
    setOffline(offline: boolean) {
      if (offline && !isOffline) {
        endLife(new OfflineError());
        line.abort(new OfflineError());
        line = new AbortController();
      }
      isOffline = offline;
    },
    isOffline: () => isOffline,
    /** Called when an answer made the browser delete what this page keeps. @returns how to stop listening */
    onStorageCleared(listener: () => void): () => void {
      clearListeners.add(listener);
      return () => clearListeners.delete(listener);
    },
    /** Called once when the server says that the session is over. @returns how to stop listening */
    onSessionEnded(listener: () => void): () => void {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },
    /** Every call goes to this server from now on; null: to the page's own. */
    setServer(server: OtherServer | null) {
      other = server;
    },
    /** Origin of the other server that every call goes to; null: the page's own. */
    server: (): string | null => other?.origin ?? null,
    /** Whether a token for unsafe calls is there (docs/spec/product.md §7: fetched before sign-in unless present). */
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
