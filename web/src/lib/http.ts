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
import { AppError } from '@passwordbroker/core/contract/problem';
import { csrfCookie } from '@passwordbroker/core/contract/session';
import { readAnswer, readProblem } from './answers.ts';
import { nextTurn } from './next-turn.ts';
import { exchange as exchangeInBrowser, type Incoming, type Outgoing } from './transport.ts';
import { documentCookies, dropXsrfToken, readXsrfToken, XSRF_HEADER, type CookieJar } from './xsrf.ts';

export { AnswerError } from './answers.ts';
export { NetworkError } from './transport.ts';

interface Transfer {
  readonly signal?: AbortSignal | undefined;
  readonly onSent?: Outgoing['onSent'];
  readonly onReceived?: Outgoing['onReceived'];
  readonly silenceMs?: number;
  readonly maxBytes?: number;
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
const SAFE = new Set(['GET', 'HEAD']);

export interface HttpOptions {
  /** Scheme and host, without slash; default the page's own. */
  readonly origin?: string;
  readonly cookies?: CookieJar;
  /** How bytes go out; default the browser's fetch and XMLHttpRequest. */
  readonly exchange?: (outgoing: Outgoing) => Promise<Incoming>;
}

export function createHttp({ origin = '', cookies = documentCookies, exchange = exchangeInBrowser }: HttpOptions = {}) {
  let isSignedIn = false;
  let fetchingToken: Promise<unknown> | null = null;
  const endListeners = new Set<() => void>();

  /** Several unsafe calls at once fetch one token. */
  const fetchToken = async () => {
    fetchingToken ??= send(csrfCookie, {}).finally(() => {
      fetchingToken = null;
    });
    await fetchingToken;
  };

  async function send(endpoint: Endpoint, options: LooseOptions): Promise<Incoming> {
    const isUnsafe = !SAFE.has(endpoint.method);
    if (isUnsafe && readXsrfToken(cookies) === null) await fetchToken();
    const token = isUnsafe ? readXsrfToken(cookies) : null;
    const body = options.form ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const { signal, onSent, onReceived, silenceMs, maxBytes } = options;
    return exchange({
      method: endpoint.method,
      url: origin + fillPath<string>(endpoint.path, options.params ?? {}) + queryText(options.query),
      headers: {
        Accept: endpoint.answer.type ?? 'application/json',
        ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
        ...(token === null ? {} : { [XSRF_HEADER]: token }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      ...(onSent === undefined ? {} : { onSent }),
      ...(onReceived === undefined ? {} : { onReceived }),
      ...(silenceMs === undefined ? {} : { silenceMs }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  }

  async function answered(endpoint: Endpoint, options: LooseOptions): Promise<Incoming> {
    if (!isSignedIn && endpoint.access !== 'anyone') {
      throw new AppError('unauthenticated', { message: 'user is logout' });
    }
    const first = await send(endpoint, options);
    if (isSuccess(first)) return first;
    const problem = readProblem(first);
    if (problem.code !== 'csrf_mismatch' && problem.message !== 'CSRF token mismatch.')
      throw refused(endpoint, problem);
    dropXsrfToken(cookies);
    const second = await send(endpoint, options);
    if (isSuccess(second)) return second;
    throw refused(endpoint, readProblem(second));
  }

  function refused(endpoint: Endpoint, problem: AppError): AppError {
    if (problem.code === 'unauthenticated' && endpoint.access !== 'anyone' && isSignedIn) {
      isSignedIn = false;
      for (const listener of endListeners) listener();
    }
    return problem;
  }

  return {
    /**
     * @throws AppError what the server refused, also 'user is logout' without asking it while nobody is signed in (specification §4)
     * @throws NetworkError no answer; AnswerError an answer outside the contract; the signal's reason when aborted
     */
    async call<const E extends Endpoint>(endpoint: E, ...[options]: Arguments<E>): Promise<AnswerOf<E>> {
      const incoming = await answered(endpoint, (options ?? {}) as LooseOptions);
      if (incoming.bytes.length > LARGE_BYTES) await nextTurn();
      return readAnswer(endpoint.answer.schema, incoming) as AnswerOf<E>;
    },
    /** An answer that is not JSON, as bytes. Errors as in `call`. */
    async bytes<const E extends Endpoint>(endpoint: E, ...[options]: Arguments<E>): Promise<Uint8Array<ArrayBuffer>> {
      return (await answered(endpoint, (options ?? {}) as LooseOptions)).bytes;
    },
    /** Told by the session, which alone knows. */
    setSignedIn(signedIn: boolean) {
      isSignedIn = signedIn;
    },
    /** Called once when the server says that the session is over. @returns how to stop listening */
    onSessionEnded(listener: () => void): () => void {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },
    /** Whether a token for unsafe calls is there (specification §7: fetched before sign-in unless present). */
    hasXsrfToken: () => readXsrfToken(cookies) !== null,
  };
}

export type Http = ReturnType<typeof createHttp>;

/** The server that this page came from. */
export const http: Http = createHttp();

const isSuccess = ({ status }: Incoming) => status >= 200 && status < 300;

function queryText(query: object | undefined): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
