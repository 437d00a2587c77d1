import type { AnswerOf, BodyOf, Endpoint, PlainBodyOf, Method } from '@passwordbroker/core/contract/endpoint';
import type { Answer, Media, NotModified, SealedForm, WrittenJson } from './answer/answer.ts';
import type { ReceivedBody } from './body/body.ts';
import type { Actor, Context, RequestContext } from './context.ts';
import type { FieldTexts } from './validation.ts';
import { AppError } from '@passwordbroker/core/contract/problem';

type Answers<E extends Endpoint> = AnswerOf<E> | Answer<AnswerOf<E>> | Media | NotModified | WrittenJson;
type Handler<E extends Endpoint, Body> = (context: Context<E, Body>) => Promise<Answers<E>> | Answers<E>;

type PlainOf<E extends Endpoint> = E extends { body: { plain: unknown } } ? PlainBodyOf<E> : BodyOf<E>;

/**
 * Handlers by form (docs/spec/api.md §1.5). `plain` uses the caller's keys on the server; `sealedForm(body)`
 * continues with `sealed`.
 */
type Forms<E extends Endpoint> = E extends { body: { sealed: unknown } }
  ? {
      readonly sealed: Handler<E, BodyOf<E>>;
      readonly plain: (
        context: Context<E, PlainOf<E>>,
      ) => Promise<Answers<E> | SealedForm<BodyOf<E>>> | Answers<E> | SealedForm<BodyOf<E>>;
    }
  : { readonly plain: Handler<E, PlainOf<E>> };

/** Each is called once, before any write. */
interface SpoolRule {
  /** Gets the preceding members. @throws AppError 403, 429 */
  readonly admit: (request: RequestContext, members: ReceivedBody['members']) => Promise<void>;
  /** Runs once a place and disk space are free. @throws AppError 429 */
  readonly count: (request: RequestContext) => Promise<void>;
}

export interface RefusedBody {
  readonly members: ReceivedBody['members'];
  readonly params: Readonly<Record<string, string>>;
  readonly found: FieldTexts;
}

export interface RouteOptions {
  /** Runs before the body is read. @throws AppError 400, 401, 403 or 404 */
  readonly permit?: (request: RequestContext, params: Readonly<Record<string, string>>) => Promise<void>;
  /** No cookie counts or is set, so another site gains nothing. */
  readonly needsNoCsrf?: (members: ReceivedBody['members']) => boolean;
  /** Checks body or header before validation. @throws AppError 403 */
  readonly demand?: (request: RequestContext, members: ReceivedBody['members']) => Promise<void>;
  /** Runs before a large body is read; `announced` is 0 without Content-Length. @throws AppError 507 */
  readonly admitsBody?: (request: RequestContext, announced: number) => Promise<void>;
  /** Sealed forms too large for the event loop arrive in `unread`. */
  readonly leavesJsonUnread?: true;
  /** Files too large for memory arrive in `spooled`. */
  readonly spoolsFiles?: SpoolRule;
  readonly duringRecovery?: true;
  /** Errors of a plain body beyond its schema. */
  readonly plainTexts?: (body: Pick<ReceivedBody, 'members' | 'files'>, actor: Actor | null) => FieldTexts;
  /** More errors of a body that fails its schema; the schema's texts win. */
  readonly moreBodyErrors?: (request: RequestContext, refused: RefusedBody) => Promise<FieldTexts>;
  readonly errorKeys?: Readonly<Record<string, string>>;
}

type LooseHandler = (context: unknown) => unknown;

export interface Route {
  readonly endpoint: Endpoint;
  readonly sealed: LooseHandler | null;
  readonly plain: LooseHandler | null;
  readonly options: RouteOptions;
}

/** Binds an endpoint to its handler, or to one per form. */
export function on<const E extends Endpoint>(
  endpoint: E,
  handlers: (E extends { body: { sealed: unknown } } ? never : Handler<E, BodyOf<E>>) | Forms<E>,
  options: RouteOptions = {},
): Route {
  if (typeof handlers === 'function') return { endpoint, sealed: handlers as LooseHandler, plain: null, options };
  const forms = handlers as { sealed?: LooseHandler; plain: LooseHandler };
  return { endpoint, sealed: forms.sealed ?? null, plain: forms.plain, options };
}

export type RoutesByMethod = ReadonlyMap<string, Route>;

const OVERRIDES: ReadonlyMap<string, Method> = new Map([
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
]);

/** `_method` counts only in the body of a POST (docs/spec/threats.md §3.1.5). */
export function effectiveMethod(method: string, body: ReceivedBody): string {
  const override = body.members['_method'];
  if (method !== 'POST' || typeof override !== 'string') return method;
  return OVERRIDES.get(override.toLowerCase()) ?? method;
}

/** Routes that the request may match before its body is read, the exact method first. */
export function candidatesOf(routes: RoutesByMethod, method: string): readonly Route[] {
  const exact = routes.get(method);
  const able = method === 'POST' ? [...routes.values()].filter(({ endpoint }) => endpoint.method !== 'GET') : [];
  return exact === undefined ? able : [exact, ...able.filter((route) => route !== exact)];
}

export function routeFor(routes: RoutesByMethod, method: string): Route {
  const route = routes.get(method === 'HEAD' ? 'GET' : method);
  if (route === undefined || (method === 'HEAD' && !answersHead(route))) throw new AppError('method_not_allowed');
  return route;
}

/** HEAD is for health probes; elsewhere it could trigger an audited GET without a result. */
export const answersHead = (route: Route | undefined) =>
  route?.endpoint.path === '/health' || route?.endpoint.path === '/ready';

export function wireMethodsOf(routes: RoutesByMethod): string[] {
  const methods = new Set(routes.keys());
  if ([...routes.keys()].some((method) => method !== 'GET')) methods.add('POST');
  if (answersHead(routes.get('GET'))) methods.add('HEAD');
  return [...methods];
}

export const isPathOf = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(path);
