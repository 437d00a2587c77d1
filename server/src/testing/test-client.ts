/**
 * A caller with a cookie jar, like a browser: cookies are returned, and unsafe requests carry the latest CSRF
 * token.
 */
import type { FastifyInstance } from 'fastify';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import type { AnswerOf, Endpoint, Params, QueryInput } from '@passwordbroker/core/contract/endpoint';
import { AppError, PROBLEM_STATUS } from '@passwordbroker/core/contract/problem';
import type { ProblemCode, ProblemErrors } from '@passwordbroker/core/contract/problem';

export interface TestRequest {
  readonly method?: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent urlencoded. */
  readonly form?: Readonly<Record<string, string>> | string;
  /** Sent as multipart. */
  readonly multipart?: FormData;
  /** Sent unchanged; set the content type in `headers`. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
  /** Omits the CSRF header. */
  readonly withoutCsrf?: boolean;
  /** Omits the cookies. */
  readonly withoutCookies?: boolean;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** The body parsed as JSON. */
  json<T = Record<string, unknown>>(): T;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export class TestClient {
  readonly cookies = new Map<string, string>();
  readonly #app: () => FastifyInstance;

  constructor(app: () => FastifyInstance) {
    this.#app = app;
  }

  /** Another caller with the same cookies. */
  copy(): TestClient {
    const copy = new TestClient(this.#app);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  /** Sends one request. Does not throw for an error status. */
  async request(request: TestRequest): Promise<TestAnswer> {
    const method = request.method ?? (hasBody(request) ? 'POST' : 'GET');
    const needsToken = !SAFE.has(method) && request.withoutCsrf !== true && request.withoutCookies !== true;
    if (needsToken && !this.cookies.has('XSRF-TOKEN')) await this.request({ path: '/sanctum/csrf-cookie' });
    const { payload, type } = await encode(request);
    const headers = {
      ...(request.withoutCookies === true || this.cookies.size === 0 ? {} : { cookie: this.#cookieHeader() }),
      ...(needsToken ? { 'x-xsrf-token': this.cookies.get('XSRF-TOKEN') ?? '' } : {}),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...request.headers,
    };
    const response = await this.#app().inject({
      method: method as 'GET',
      url: request.path,
      headers,
      ...(payload === undefined ? {} : { payload }),
      ...(request.address === undefined ? {} : { remoteAddress: request.address }),
    });
    for (const { name, value, maxAge } of response.cookies) {
      if (value === '' || maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      bytes: response.rawPayload,
      json: <T>() => JSON.parse(response.body) as T,
    };
  }

  /** Makes a call of the contract. Throws `AppError` for an error status, as the client's `http` does. */
  async call<const E extends Endpoint>(
    endpoint: E,
    input: {
      readonly params?: Params<E['path']>;
      readonly query?: QueryInput<E>;
      readonly body?: unknown;
      readonly multipart?: FormData;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<AnswerOf<E>> {
    const answer = await this.request({
      method: endpoint.method,
      path: fillPath(endpoint.path, (input.params ?? {}) as Params<E['path']>) + queryOf(input.query),
      ...(input.headers === undefined ? {} : { headers: input.headers }),
      ...(input.body === undefined ? {} : { json: input.body }),
      ...(input.multipart === undefined ? {} : { multipart: input.multipart }),
    });
    if (answer.status >= 400) throw problemOf(answer);
    return (answer.status === 204 ? undefined : answer.json<unknown>()) as AnswerOf<E>;
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

const hasBody = ({ json, form, multipart, raw }: TestRequest) =>
  json !== undefined || form !== undefined || multipart !== undefined || raw !== undefined;

async function encode(request: TestRequest): Promise<{ payload?: string | Buffer; type?: string }> {
  if (request.json !== undefined) return { payload: JSON.stringify(request.json), type: 'application/json' };
  if (request.raw !== undefined) return { payload: request.raw };
  if (request.form !== undefined) {
    const payload = typeof request.form === 'string' ? request.form : new URLSearchParams(request.form).toString();
    return { payload, type: 'application/x-www-form-urlencoded' };
  }
  if (request.multipart === undefined) return {};
  const encoded = new Response(request.multipart);
  return { payload: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type') ?? '' };
}

/** The query string, with its question mark. */
export function queryOf(query: unknown): string {
  const members = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined);
  return members.length === 0
    ? ''
    : `?${new URLSearchParams(members.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

function problemOf(answer: TestAnswer): AppError {
  const body = answer.json<{
    code: ProblemCode;
    message: string;
    errors?: ProblemErrors;
    details?: Record<string, unknown>;
    request_id: string;
  }>();
  if (!(body.code in PROBLEM_STATUS)) throw new Error(`No problem body: ${answer.text}`);
  return new AppError(body.code, {
    message: body.message,
    requestId: body.request_id,
    ...(body.errors === undefined ? {} : { errors: body.errors }),
    ...(body.details === undefined ? {} : { details: body.details }),
  });
}
