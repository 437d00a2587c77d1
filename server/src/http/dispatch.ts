/** One request, from the wire to the handler and back. The order of the checks is that of `api.md` §1.3. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Method } from '@passwordbroker/core/contract/endpoint';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { recordEvent } from '../audit/audit-log.ts';
import { sha256Hex } from '../platform/secrets.ts';
import { Answer, Media, SealedForm } from './answer.ts';
import { authorise, refuseServerCrypto } from './authorise.ts';
import { UnreadJson, receiveBody, tooLarge } from './body.ts';
import type { JsonPart, ReceivedBody } from './body.ts';
import type { Actor, AnswerHead, Deps, Origin, RequestContext } from './context.ts';
import { answerPreflight } from './cors.ts';
import { refuseOtherSites } from './csrf.ts';
import { readQuery } from './names.ts';
import { asAppError, sendProblem } from './problem-answer.ts';
import type { Route } from './route.ts';
import { cookiesCount, findActor, presentedCookie } from './session.ts';
import { examine, memberAt, refuseFindings } from './validation.ts';
import type { Findings } from './validation.ts';

/** Bytes of bodies in memory at once, over all requests; beyond it a large one has to come again. */
const BODY_MEMORY = 256 * 1024 * 1024;

type RoutesByMethod = ReadonlyMap<string, Route>;
interface Mount {
  readonly deps: Deps;
  readonly routes: RoutesByMethod;
  readonly memory: { used: number };
}

/** Mounts every route. All methods of a path share one entry, because `_method` in a body decides among them (`api.md` §1.1). */
export function mount(app: FastifyInstance, deps: Deps, routes: readonly Route[]): void {
  const memory = { used: 0 };
  const byPath = new Map<string, Map<Method, Route>>();
  for (const route of routes) {
    const { path, method } = route.endpoint;
    const methods = byPath.get(path) ?? new Map<Method, Route>();
    if (methods.has(method)) throw new Error(`${method} ${path} is mounted twice`);
    byPath.set(path, methods.set(method, route));
  }
  for (const [url, methods] of byPath) {
    const place = { deps, routes: methods, memory };
    app.route({ method: app.supportedMethods, url, handler: (request, reply) => serve(place, request, reply) });
  }
}

async function serve(place: Mount, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = place;
  const origin = originOf(request);
  let actor: Actor | null = null;
  try {
    if (request.method === 'OPTIONS') return answerPreflight(deps, request, reply);
    actor = await findActor(deps, presentedCookie(deps, request));
    return await answerCall(place, request, reply, actor, origin);
  } catch (error) {
    const problem = asAppError(error, request.id, deps.log);
    if (problem.status === 403 && actor !== null) await recordRefusal(deps, request, actor, origin, problem);
    return sendProblem(reply, problem, request.id);
  }
}

async function answerCall(
  { deps, routes, memory }: Mount,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor | null,
  origin: Origin,
): Promise<FastifyReply> {
  refuseOtherSites(deps, request);
  const url = request.raw.url ?? '';
  const query = readQuery(url);
  const limit = bodyLimitOf(routes, request.method);
  refuseLargeFromStrangers(routes, request, actor, limit);
  const release = reserveMemory(memory, request, limit);
  try {
    const body = await receiveBody(request, limit, jsonPartOf(routes));
    const method = effectiveMethod(request.method, body);
    const route = routeFor(routes, method);
    const ownLimit = route.endpoint.bodyLimit ?? LIMITS.bodyBytes;
    if (body.size > ownLimit) throw tooLarge(ownLimit);
    const context = contextOf(deps, request, reply, { actor, origin, body, method, url });
    return await runRoute(route, request, reply, context, query, body);
  } finally {
    release();
  }
}

async function runRoute(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RequestContext,
  query: Readonly<Record<string, string>>,
  body: ReceivedBody,
): Promise<FastifyReply> {
  const { deps, actor } = context;
  const { endpoint } = route;
  const place = await authorise(deps, route, request, context);
  const form = formOf(route, body.members);
  if (form.isPlain) await refuseServerCrypto(deps, actor);
  const readQueryMembers = endpoint.query === undefined ? NOTHING : examine(endpoint.query, query);
  const readBody =
    form.schema === undefined || (context.unread !== null && !form.isPlain)
      ? NOTHING
      : examine(form.schema, body.members, route.options.errorKeys ?? {});
  const more = form.isPlain ? (route.options.plainTexts?.(body) ?? {}) : {};
  refuseFindings(readQueryMembers, readBody, { ...NOTHING, errors: more });
  const full = { ...context, ...place, query: readQueryMembers.value };
  let result = await form.run({ ...full, body: readBody.value });
  if (result instanceof SealedForm) {
    result = await route.sealed?.({ ...full, ...result.context, body: result.body });
  }
  return sendAnswer(route, reply, result);
}

const NOTHING: Findings = { value: undefined, errors: {}, sealedOnly: false };

/** Which handler and which schema the body calls for. A sealed body that brings a master password along is refused. */
function formOf(route: Route, members: Readonly<Record<string, unknown>>) {
  const { body } = route.endpoint;
  const run = (handler: Route['sealed']) => {
    if (handler === null) throw new Error(`${route.endpoint.path} has no handler for this form`);
    return handler;
  };
  if (body === undefined || 'schema' in body) {
    const isPlain = route.plain !== null;
    return { isPlain, schema: body?.schema, run: run(route.plain ?? route.sealed) };
  }
  const marker = body.marker.split('.');
  const isSealed = (memberAt(members, marker) ?? null) !== null;
  const masterPassword = [...marker.slice(0, -1), 'master_password'];
  if (isSealed && (memberAt(members, masterPassword) ?? null) !== null) {
    throw refuse(masterPassword.join('.'), 'The master password is not expected.');
  }
  return isSealed
    ? { isPlain: false, schema: body.sealed, run: run(route.sealed) }
    : { isPlain: true, schema: body.plain, run: run(route.plain) };
}

function sendAnswer(route: Route, reply: FastifyReply, result: unknown): FastifyReply {
  const { answer, path } = route.endpoint;
  reply.header('cache-control', 'no-store');
  if (result instanceof Media) {
    return reply
      .code(answer.status)
      .headers(result.headers)
      .type(answer.type ?? 'application/octet-stream')
      .send(result.body);
  }
  const [status, value] = result instanceof Answer ? [result.status, result.value as unknown] : [answer.status, result];
  if (answer.schema === undefined) return reply.code(status).send();
  const shaped = examine(answer.schema, value);
  if (Object.keys(shaped.errors).length > 0) {
    throw new TypeError(
      `The answer of ${path} is not what the contract says: ${Object.keys(shaped.errors).join(', ')}`,
    );
  }
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(shaped.value));
}

/** The largest body that any call of this path may bring with this method; 405 when there is none. */
function bodyLimitOf(routes: RoutesByMethod, method: string): number {
  const able = method === 'POST' ? [...routes.values()].filter((route) => route.endpoint.method !== 'GET') : [];
  const exact = routes.get(method);
  const candidates = exact === undefined ? able : [exact, ...able];
  if (candidates.length === 0 && !(method === 'HEAD' && answersHead(routes.get('GET')))) {
    throw new AppError('method_not_allowed');
  }
  return Math.max(LIMITS.bodyBytes, ...candidates.map((route) => route.endpoint.bodyLimit ?? 0));
}

const hasLargeBody = (request: FastifyRequest) =>
  request.headers['transfer-encoding'] !== undefined ||
  Number(request.headers['content-length'] ?? 0) > LIMITS.bodyBytes;

/** Nobody fills our memory before he has signed in. */
function refuseLargeFromStrangers(
  routes: RoutesByMethod,
  request: FastifyRequest,
  actor: Actor | null,
  limit: number,
): void {
  if (actor !== null || limit <= LIMITS.bodyBytes || !hasLargeBody(request)) return;
  if ([...routes.values()].every((route) => route.endpoint.access !== 'anyone')) throw new AppError('unauthenticated');
}

function reserveMemory(memory: { used: number }, request: FastifyRequest, limit: number): () => void {
  if (!hasLargeBody(request)) return () => {};
  const declared = Number(request.headers['content-length'] ?? limit);
  const bytes = Math.min(declared, limit);
  if (memory.used + bytes > BODY_MEMORY) throw new AppError('unavailable', { retryAfter: 5 });
  memory.used += bytes;
  return () => {
    memory.used -= bytes;
  };
}

/** The multipart member that may come as JSON text: what marks the sealed form, when it is an object. */
function jsonPartOf(routes: RoutesByMethod): JsonPart | undefined {
  const route = routes.get('POST');
  const body = route?.endpoint.body;
  if (body === undefined || !('marker' in body)) return undefined;
  return { name: body.marker, unread: route?.options.leavesJsonUnread === true };
}

/** Tells a handler that nobody waits for its answer any more. */
function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

const OVERRIDES: Readonly<Record<string, Method>> = { put: 'PUT', patch: 'PATCH', delete: 'DELETE' };

/** `_method` counts in the body of a POST alone (threats §3.1.5). */
function effectiveMethod(method: string, body: ReceivedBody): string {
  const override = body.members['_method'];
  if (method !== 'POST' || typeof override !== 'string') return method;
  return OVERRIDES[override.toLowerCase()] ?? method;
}

function routeFor(routes: RoutesByMethod, method: string): Route {
  const route = routes.get(method === 'HEAD' ? 'GET' : method);
  if (route === undefined || (method === 'HEAD' && !answersHead(route))) throw new AppError('method_not_allowed');
  return route;
}

/** Probes of a balancer may use HEAD; elsewhere it could hide a GET that is witnessed. */
const answersHead = (route: Route | undefined) =>
  route?.endpoint.path === '/health' || route?.endpoint.path === '/ready';

function originOf(request: FastifyRequest): Origin {
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 400);
  return { address: request.ip, agentHash: userAgent === '' ? null : sha256Hex(userAgent), userAgent };
}

interface Received {
  readonly actor: Actor | null;
  readonly origin: Origin;
  readonly body: ReceivedBody;
  readonly method: string;
  readonly url: string;
}

function contextOf(deps: Deps, request: FastifyRequest, reply: FastifyReply, received: Received): RequestContext {
  const { actor, origin, body, method, url } = received;
  const own = cookiesCount(deps, request);
  return {
    deps,
    actor,
    origin,
    requestId: request.id,
    head: answerHead(deps, reply),
    header(name) {
      const value = request.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : null;
    },
    cookie: (name) => (own ? (request.cookies[name] ?? null) : null),
    files: body.files,
    unread: Object.values(body.members).find((member) => member instanceof UnreadJson) ?? null,
    signal: signalOf(reply),
    method,
    url,
    bodyDigest: body.digest,
  };
}

function answerHead({ config }: Deps, reply: FastifyReply): AnswerHead {
  const secure = config.publicUrl.startsWith('https:');
  return {
    setHeader: (name, value) => void reply.header(name, value),
    setCookie(name, value, { httpOnly, maxAge }) {
      const lifetime = maxAge === undefined ? {} : { maxAge };
      reply.setCookie(name, value, { path: '/', sameSite: 'strict', secure, httpOnly, ...lifetime });
    },
  };
}

/** Every refusal of a right is on record (`api.md` §3.11). */
async function recordRefusal(
  deps: Deps,
  request: FastifyRequest,
  actor: Actor,
  origin: Origin,
  problem: AppError,
): Promise<void> {
  const details = { route: request.routeOptions.url ?? '', method: request.method, code: problem.code };
  await deps.db
    .transact((tx) => recordEvent(tx, deps, { event_type: 'access_refused', actor, origin, details }))
    .catch((error: unknown) => deps.log.error({ request_id: request.id, error }, 'A refusal could not be recorded'));
}
