/** Handles a request in the order of docs/spec/api.md §1.3. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OLDEST_CONTRACT } from '@passwordbroker/core/contract/client';
import type { Endpoint, Method } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { SERVICE_ADDRESS, refusalRecorder } from '../audit/refusals.ts';
import { bodyLimitsOf, hasLargeBody, limitsOf, receiveBody } from './body/admission.ts';
import { SealedForm } from './answer/answer.ts';
import { sendAnswer } from './answer/send-answer.ts';
import { authorise, refuseServerCrypto } from './auth/authorise.ts';
import { BODY_BUDGET, bodyMemory } from './body/body-memory.ts';
import type { BodyMemory } from './body/body-memory.ts';
import { EMPTY, bodyKindOf, tooLarge } from './body/body.ts';
import type { ReceivedBody } from './body/body.ts';
import { allowSilence, endSilence } from './connection.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import type { Actor, Deps, Origin, RequestContext } from './context.ts';
import { answerPreflight, refuseOtherSites } from './auth/cross-site.ts';
import { formOf, jsonPartOf } from './body/form.ts';
import {
  candidatesOf,
  effectiveMethod,
  isPathOf,
  routeFor,
  wireMethodsOf,
  type RoutesByMethod,
  type Route,
} from './route.ts';
import { readQuery } from './body/names.ts';
import { asAppError, sendProblem } from './answer/problem-answer.ts';
import { checkProof, hasProof } from './auth/proof.ts';
import { contextOf, fullContext, originOf } from './request-context.ts';
import { countWrongToken } from './auth/service-session.ts';
import { findActor, presentedToken, sessionUse, type SessionUse } from './auth/session.ts';
import { NO_ERRORS, examine, examineLarge, refuseFindings } from './validation.ts';
import type { FieldTexts, Findings } from './validation.ts';
import { semaphore } from '../platform/semaphore.ts';
import type { Semaphore } from '../platform/semaphore.ts';
import { networkOf } from '../platform/networks.ts';
import { Spool, SpoolPlaces } from './body/spool.ts';

/** Parsing multipart takes many times its size in memory. */
const MULTIPART_PARSERS = { atOnce: 2, waiting: Infinity };

interface Mount {
  readonly deps: Deps;
  readonly routes: RoutesByMethod;
  readonly memory: BodyMemory;
  readonly multipartParsers: Semaphore;
  readonly uses: SessionUse;
  readonly places: SpoolPlaces;
  readonly recordRefusal: ReturnType<typeof refusalRecorder>;
}

/** Null for an unknown path. */
type ServeOther = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;

/**
 * One handler per path, because `_method` in a body changes the method (docs/spec/api.md §1.1). The returned
 * function serves other methods.
 */
export function mount(app: FastifyInstance, deps: Deps, routes: readonly Route[]): ServeOther {
  const memory = bodyMemory(budgetOf(deps));
  const multipartParsers = semaphore(MULTIPART_PARSERS);
  const uses = sessionUse(deps);
  const places = new SpoolPlaces();
  const recordRefusal = refusalRecorder(deps);
  // Runs before the database closes.
  app.addHook('onClose', () => uses.flush());
  const byPath = new Map<string, Map<Method, Route>>();
  for (const route of routes) {
    const { path, method } = route.endpoint;
    const methods = byPath.get(path) ?? new Map<Method, Route>();
    if (methods.has(method)) throw new Error(`${method} ${path} is mounted twice`);
    byPath.set(path, methods.set(method, route));
  }
  const mounts: [url: string, mounted: Mount][] = [];
  for (const [url, methods] of byPath) {
    const mounted = { deps, routes: methods, memory, multipartParsers, uses, places, recordRefusal };
    mounts.push([url, mounted]);
    const method = [...wireMethodsOf(methods), ...(deps.config.corsOrigins.length > 0 ? ['OPTIONS'] : [])];
    app.route({ method, url, handler: (request, reply) => serve(mounted, request, reply) });
  }
  return (request, reply) => {
    const [path = ''] = (request.raw.url ?? '').split('?');
    const mounted = mounts.find(([url]) => isPathOf(url, path))?.[1];
    return mounted === undefined ? null : serve(mounted, request, reply);
  };
}

/** Undefined before the lookup. */
interface Caller {
  actor: Actor | null | undefined;
  readonly origin: Origin;
}

async function serve(mounted: Mount, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps, uses } = mounted;
  const caller: Caller = { actor: undefined, origin: originOf(request) };
  try {
    if (request.method === 'OPTIONS') return answerPreflight(deps, request, reply);
    await refuseDuringRecovery(deps, mounted.routes);
    const { route, result } = await runCall(mounted, request, reply, caller);
    endSilence(request);
    return sendAnswer(route, reply, result);
  } catch (error) {
    const problem = asAppError(error, request.id, deps.log);
    if (problem.status === 403) {
      const actor = caller.actor === undefined ? await findActor(deps, uses, request) : caller.actor;
      if (actor !== null) await recordRefusal(mounted, request, actor, caller.origin, problem);
    }
    endSilence(request);
    return sendProblem(reply, problem, request.id);
  }
}

/** Counts a wrong token of a service account once. @throws AppError `too_many_requests` */
async function lookUp({ deps, uses }: Mount, request: FastifyRequest, caller: Caller): Promise<void> {
  const isFirst = caller.actor === undefined;
  caller.actor = await findActor(deps, uses, request);
  if (isFirst && caller.actor === null) await countWrongToken(deps, presentedToken(request), request.ip);
}

interface Outcome {
  readonly route: Route;
  readonly result: unknown;
}

async function runCall(mounted: Mount, request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<Outcome> {
  const { deps, routes, memory, multipartParsers } = mounted;
  const { origin } = caller;
  refuseOtherSites(deps, request);
  refuseOldClient(origin);
  const url = request.raw.url ?? '';
  const query = readQuery(url);
  const limits = bodyLimitsOf(routes, request);
  const kind = bodyKindOf(request, limits);
  const contextWith = (body: ReceivedBody, method: string) =>
    contextOf(deps, request, reply, { actor: caller.actor ?? null, origin, body, method, url });
  const isLarge = kind !== null && hasLargeBody(request, limits);
  // A small body that has arrived needs only the lookup below.
  const isAwaited = kind === 'multipart' || isLarge || (kind !== null && !request.raw.complete);
  if (isAwaited) await lookUp(mounted, request, caller);
  const spool = kind === 'multipart' ? spoolFor(mounted, request, contextWith(EMPTY, request.method)) : null;
  if (spool !== null || isLarge) {
    await authoriseAny(deps, routes, request, contextWith(EMPTY, request.method));
  }
  const booking = memory.open(bodyOwnerOf(caller));
  const room = deps.space.book();
  try {
    // The spool checks disk space itself.
    const needsRoom = isLarge && spool === null && mayAdd(routes, request.method);
    const times = timesWritten(routes);
    if (needsRoom) await room.demand(announcedSize(request) * times);
    if (isLarge) await admitBody(routes, request, contextWith(EMPTY, request.method));
    let body = EMPTY;
    if (kind !== null) {
      body = await receiveBody(request, kind, {
        limits,
        booking,
        multipartParsers,
        jsonPart: jsonPartOf(routes),
        spool,
      });
    }
    if (needsRoom) await room.add(body.size * times);
    // The body may have taken minutes: look up the sender again.
    await lookUp(mounted, request, caller);
    allowSilence(request);
    const method = effectiveMethod(request.method, body);
    const route = routeFor(routes, method);
    const { whole } = limitsOf(route, request);
    if (body.size > whole) throw tooLarge(whole);
    return { route, result: await runRoute(route, request, contextWith(body, method), query, body) };
  } finally {
    booking.release();
    room.release();
    await spool?.clear();
  }
}

function refuseOldClient({ client }: Origin): void {
  if (client === null || client.contract >= OLDEST_CONTRACT) return;
  throw new AppError('client_too_old', { message: SERVER_TEXTS.clientTooOld, details: { oldest: OLDEST_CONTRACT } });
}

/** Behind an unnamed proxy all guests share one address's limit. */
const budgetOf = ({ config }: Deps) =>
  config.hasUnnamedProxy ? { ...BODY_BUDGET, eachAddress: BODY_BUDGET.small } : BODY_BUDGET;

const bodyOwnerOf = ({ actor, origin }: Caller) => {
  const { userId } = actor ?? {};
  return { name: userId ?? networkOf(origin.address), isGuest: userId === undefined };
};

function spoolFor({ deps, routes, places }: Mount, request: FastifyRequest, context: RequestContext): Spool | null {
  const { endpoint, options } = routes.get('POST') ?? {};
  const rule = options?.spoolsFiles;
  if (rule === undefined) return null;
  return new Spool({
    dataDir: deps.config.dataDir,
    places,
    address: networkOf(context.origin.address),
    parts: endpoint?.files ?? [],
    announced: announcedSize(request),
    admit: (members) => rule.admit(context, members),
    count: () => rule.count(context),
  });
}

async function admitBody(routes: RoutesByMethod, request: FastifyRequest, context: RequestContext): Promise<void> {
  for (const { options } of candidatesOf(routes, request.method)) {
    await options.admitsBody?.(context, announcedSize(request));
  }
}

const mayAdd = (routes: RoutesByMethod, method: string) =>
  candidatesOf(routes, method).some(({ endpoint }) => endpoint.worksOnFullDisk !== true);

/** 2 for imports, whose rows go to the write-ahead log and the database; else 1. */
const timesWritten = (routes: RoutesByMethod) => (routes.get('POST')?.options.leavesJsonUnread === true ? 2 : 1);

const announcedSize = ({ headers }: FastifyRequest) => Number(headers['content-length'] ?? 0) || 0;

const RETRY_SECONDS = 5;

async function refuseDuringRecovery({ recovery }: Deps, routes: RoutesByMethod): Promise<void> {
  if ([...routes.values()].some(({ options }) => options.duringRecovery === true)) return;
  if (!recovery.isRunning && !(await recovery.isElsewhere())) return;
  throw new AppError('unavailable', { retryAfter: RETRY_SECONDS });
}

/** @throws AppError if no matching route is allowed */
async function authoriseAny(
  deps: Deps,
  routes: RoutesByMethod,
  request: FastifyRequest,
  context: RequestContext,
): Promise<void> {
  const refusals: unknown[] = [];
  for (const route of candidatesOf(routes, request.method)) {
    try {
      await authorise(deps, route, request, context, EMPTY.members);
      return;
    } catch (error) {
      refusals.push(error);
    }
  }
  throw refusals[0];
}

async function runRoute(
  route: Route,
  request: FastifyRequest,
  context: RequestContext,
  query: Readonly<Record<string, string>>,
  body: ReceivedBody,
): Promise<unknown> {
  const { deps, actor } = context;
  const { endpoint } = route;
  const pathRows = await authorise(deps, route, request, context, body.members);
  await route.options.demand?.(context, body.members);
  if (deps.space.mayBeLow()) await demandDisk(deps, endpoint, actor);
  const form = formOf(route, body.members, hasProof(context));
  if (form.isPlain) await refuseServerCrypto(deps, actor);
  const readQueryMembers = endpoint.query === undefined ? NOTHING : examine(endpoint.query, query);
  const readBody =
    form.schema === undefined || (context.unread !== null && !form.isPlain)
      ? NOTHING
      : await (body.size > LIMITS.bodyBytes ? examineLarge : examine)(
          form.schema,
          body.members,
          route.options.errorKeys,
        );
  const more = form.isPlain ? (route.options.plainTexts?.(body, actor) ?? NO_ERRORS) : NO_ERRORS;
  const told =
    readBody.errors === NO_ERRORS ? NO_ERRORS : await moreBodyErrors(route, request, context, body, readBody);
  refuseFindings(readQueryMembers, readBody, ...[more, told].map(asFindings));
  const { isPlain: isPlainForm } = form;
  const full = fullContext(context, pathRows, { query: readQueryMembers.value, body: readBody.value, isPlainForm });
  if (actor !== null && !form.isPlain && isProofDue(context, endpoint, actor)) await checkProof({ ...context, actor });
  const result = await form.run(full);
  return result instanceof SealedForm ? route.sealed?.({ ...full, ...result.context, body: result.body }) : result;
}

function isProofDue(context: RequestContext, { proof, fresh }: Endpoint, { hasKeys }: Actor): boolean {
  if (fresh === 'or-proof') return hasProof(context);
  return proof === true && !(fresh === 'without-keys' && !hasKeys);
}

async function moreBodyErrors(
  route: Route,
  request: FastifyRequest,
  context: RequestContext,
  { members }: ReceivedBody,
  { errors: found }: Findings,
): Promise<FieldTexts> {
  const params = request.params as Readonly<Record<string, string>>;
  const texts = await route.options.moreBodyErrors?.(context, { members, params, found });
  if (texts === undefined) return NO_ERRORS;
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !Object.hasOwn(found, key)));
}

const asFindings = (errors: FieldTexts): Findings => (errors === NO_ERRORS ? NOTHING : { ...NOTHING, errors });

/**
 * @throws AppError `insufficient_storage` on a nearly full disk or beyond the caller's share of the reserve
 */
async function demandDisk(
  { space }: Deps,
  { method, access, worksOnFullDisk, makesRoom }: Endpoint,
  actor: Actor | null,
): Promise<void> {
  if (!(await space.isLow())) return;
  const isVital = worksOnFullDisk === true;
  if (method !== 'GET' && !isVital) {
    throw new AppError('insufficient_storage', { message: SERVER_TEXTS.diskNearlyFull });
  }
  // `identity/sign-in.ts` checks a member's share after the password.
  if (actor === null || actor.isAdmin || makesRoom === true) return space.ease('admin');
  if (isVital) return space.ease('member');
  // Other reads write nothing.
  if (access === 'field.reveal') await space.ease('reader');
}

const NOTHING: Findings = { value: undefined, errors: NO_ERRORS, sealedOnly: false };

async function recordRefusal(
  { deps, recordRefusal: record }: Mount,
  request: FastifyRequest,
  actor: Actor,
  origin: Origin,
  problem: AppError,
): Promise<void> {
  const { url: route = '' } = request.routeOptions;
  const code = actor.service?.isAddressAllowed === false ? SERVICE_ADDRESS : problem.code;
  await record({ actor, origin, route, method: request.method, code }).catch((error: unknown) =>
    deps.log.error({ request_id: request.id, error }, 'A refusal could not be recorded'),
  );
}
