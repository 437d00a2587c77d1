/** One request, from the wire to the handler and back. The order of the checks is that of `api.md` §1.3. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Method } from '@passwordbroker/core/contract/endpoint';
import type { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { recordEvent } from '../audit/audit-log.ts';
import { bodyLimitOf, refuseLargeFromStrangers, reserveMemory } from './admission.ts';
import { SealedForm } from './answer.ts';
import { authorise, refuseServerCrypto } from './authorise.ts';
import { receiveBody, tooLarge } from './body.ts';
import type { ReceivedBody } from './body.ts';
import type { Actor, Deps, Origin, RequestContext } from './context.ts';
import { answerPreflight } from './cors.ts';
import { refuseOtherSites } from './csrf.ts';
import { formOf, jsonPartOf } from './form.ts';
import { effectiveMethod, routeFor } from './method.ts';
import type { RoutesByMethod } from './method.ts';
import { readQuery } from './names.ts';
import { asAppError, sendProblem } from './problem-answer.ts';
import { checkProof, hasProof } from './proof.ts';
import { contextOf, originOf } from './request-context.ts';
import type { Route } from './route.ts';
import { sendAnswer } from './send-answer.ts';
import { findActor, presentedCookie } from './session.ts';
import { examine, refuseFindings } from './validation.ts';
import type { Findings } from './validation.ts';

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
    const { route, result } = await runCall(place, request, reply, actor, origin);
    return sendAnswer(route, reply, result);
  } catch (error) {
    const problem = asAppError(error, request.id, deps.log);
    if (problem.status === 403 && actor !== null) await recordRefusal(deps, request, actor, origin, problem);
    return sendProblem(reply, problem, request.id);
  }
}

/** What is to be answered: by which call, and what its handler says. */
interface Outcome {
  readonly route: Route;
  readonly result: unknown;
}

async function runCall(
  { deps, routes, memory }: Mount,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor | null,
  origin: Origin,
): Promise<Outcome> {
  refuseOtherSites(deps, request);
  const url = request.raw.url ?? '';
  const query = readQuery(url);
  const limit = bodyLimitOf(routes, request);
  refuseLargeFromStrangers(routes, request, actor, limit);
  const release = reserveMemory(memory, request, limit);
  try {
    const body = await receiveBody(request, limit, jsonPartOf(routes));
    const method = effectiveMethod(request.method, body);
    const route = routeFor(routes, method);
    const ownLimit = route.endpoint.bodyLimit ?? LIMITS.bodyBytes;
    if (body.size > ownLimit) throw tooLarge(ownLimit);
    const context = contextOf(deps, request, reply, { actor, origin, body, method, url });
    return { route, result: await runRoute(route, request, context, query, body) };
  } finally {
    release();
  }
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
  const place = await authorise(deps, route, request, context);
  const form = formOf(route, body.members, hasProof(context));
  if (form.isPlain) await refuseServerCrypto(deps, actor);
  const readQueryMembers = endpoint.query === undefined ? NOTHING : examine(endpoint.query, query);
  const readBody =
    form.schema === undefined || (context.unread !== null && !form.isPlain)
      ? NOTHING
      : examine(form.schema, body.members, route.options.errorKeys ?? {});
  const more = form.isPlain ? (route.options.plainTexts?.(body) ?? {}) : {};
  refuseFindings(readQueryMembers, readBody, { ...NOTHING, errors: more });
  const full = { ...context, ...place, query: readQueryMembers.value, isPlainForm: form.isPlain };
  if (endpoint.proof === true && actor !== null && !form.isPlain) await checkProof({ ...context, actor });
  const result = await form.run({ ...full, body: readBody.value });
  return result instanceof SealedForm ? route.sealed?.({ ...full, ...result.context, body: result.body }) : result;
}

const NOTHING: Findings = { value: undefined, errors: {}, sealedOnly: false };

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
