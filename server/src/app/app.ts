/** The HTTP application: its routes and hooks. Read this first. */
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { limitConnections, serveOneAtATime } from '../http/connection.ts';
import type { Deps } from '../http/context.ts';
import { allowListedOrigin } from '../http/auth/cross-site.ts';
import { mount } from '../http/dispatch.ts';
import { readQuery } from '../http/body/names.ts';
import { asAppError, sendProblem } from '../http/answer/problem-answer.ts';
import type { Route } from '../http/route.ts';
import { securityHeaders } from '../http/answer/security-headers.ts';
import { importMapOf, staticFiles } from '../http/answer/static-files.ts';
import { routes as accessRoutes } from '../access/routes.ts';
import { routes as auditRoutes } from '../audit/routes.ts';
import { routes as accountRoutes } from '../accounts/routes.ts';
import { routes as backupRoutes } from '../backups/routes.ts';
import { routes as entryRoutes } from '../entries/routes.ts';
import { routes as entryGroupRoutes } from '../groups/routes.ts';
import { routes as exportRoutes } from '../exports/routes.ts';
import { routes as fieldRoutes } from '../fields/routes.ts';
import { routes as historyRoutes } from '../history/routes.ts';
import { routes as sessionRoutes } from '../identity/routes.ts';
import { routes as importRoutes } from '../import/routes.ts';
import { routes as memberRoutes } from '../members/routes.ts';
import { routes as inviteRoutes } from '../invites/routes.ts';
import { routes as noticeRoutes } from '../notices/routes.ts';
import { routes as offlineRoutes } from '../offline/routes.ts';
import { routes as operationRoutes } from '../operations/routes.ts';
import { routes as ownKeyRoutes } from '../own-keys/routes.ts';
import { routes as passkeyRoutes } from '../passkeys/routes.ts';
import { routes as recoveryRoutes } from '../recovery/routes.ts';
import { routes as serverCryptoRoutes } from '../server-crypto/routes.ts';
import { routes as siteRoutes } from '../sites/routes.ts';
import { routes as serviceAccountRoutes } from '../service-accounts/routes.ts';
import { routes as systemRoutes } from '../system/routes.ts';
import { routes as templateRoutes } from '../templates/routes.ts';
import { routes as userRoutes } from '../users/routes.ts';
import { guardUnclaimed } from '../users/setup-token.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

export const ROUTES: readonly Route[] = [
  ...sessionRoutes,
  ...userRoutes,
  ...accountRoutes,
  ...inviteRoutes,
  ...entryGroupRoutes,
  ...templateRoutes,
  ...memberRoutes,
  ...accessRoutes,
  ...entryRoutes,
  ...fieldRoutes,
  ...siteRoutes,
  ...historyRoutes,
  ...ownKeyRoutes,
  ...passkeyRoutes,
  ...serverCryptoRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...operationRoutes,
  ...noticeRoutes,
  ...offlineRoutes,
  ...auditRoutes,
  ...backupRoutes,
  ...recoveryRoutes,
  ...serviceAccountRoutes,
  ...systemRoutes,
];

const SECOND = 1000;
const RESTART_SECONDS = 5;
/** The web client serves other GETs. */
const API = /^\/(passwordBroker\/api|identity\/api|system\/api|sanctum)(\/|$)|^\/(health|ready|metrics)\/?$/;

/** Creates the application without a listening socket; `webDir` holds the built client. */
export async function createApp(deps: Deps, { webDir }: { readonly webDir: string }): Promise<FastifyInstance> {
  const headers = securityHeaders(deps.config, importMapOf(webDir));
  const app = fastify({
    logger: false,
    genReqId: () => deps.newId(),
    requestIdHeader: false,
    trustProxy: deps.config.trustProxy.length === 0 ? false : [...deps.config.trustProxy],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    exposeHeadRoutes: false,
    // `http/validation.ts` validates instead.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    // The `onRequest` hook answers instead.
    return503OnClosing: false,
    // Ends stalled connections; uploads may take longer (docs/spec/threats.md §3.1.24).
    connectionTimeout: 30 * SECOND,
    requestTimeout: 600 * SECOND,
    keepAliveTimeout: 5 * SECOND,
    http: { headersTimeout: 10 * SECOND, connectionsCheckingInterval: 2 * SECOND },
    frameworkErrors: (error, request, reply) => refuseEarly(deps, headers, error, request, reply),
    clientErrorHandler(_error, socket) {
      // Browsers preconnect, and would take an error on a silent connection as the next response.
      if (socket.bytesRead === 0) socket.destroy();
      else if (socket.writable) socket.end(rawBadRequest(headers));
    },
  });
  await app.register(cookie);
  await app.register(multipart);
  // `http/body/body.ts` reads bodies, after authentication and rate limits.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  serveOneAtATime(app.server);
  surround(app, deps, headers);
  const serveOther = mount(app, deps, ROUTES);
  const serveStatic = staticFiles(webDir);
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = (request.raw.url ?? '').split('?');
    if (!app.supportedMethods.includes(request.method)) throw new AppError('method_not_allowed');
    const served = serveOther(request, reply);
    if (served !== null) return served;
    if (API.test(path)) throw new AppError('not_found');
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new AppError('not_found');
    return serveStatic(request, reply);
  });
  return app;
}

const noSchema = (): never => {
  throw new Error('No route has a schema of the framework');
};

/** Hooks of every request. */
function surround(app: FastifyInstance, deps: Deps, headers: Readonly<Record<string, string>>): void {
  let isClosing = false;
  const refuseForeign = guardUnclaimed(deps);
  const refuseOver = limitConnections(app.server, deps);
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    // A keep-alive connection brought another request.
    if (isClosing) throw new AppError('unavailable', { retryAfter: RESTART_SECONDS });
    refuseOver(request, reply);
    allowListedOrigin(deps, request, reply);
    readQuery(request.raw.url ?? '');
    done();
  });
  app.addHook('onRequest', async ({ headers: { host }, raw: { url = '' } }) => refuseForeign(host, url));
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const seconds = reply.elapsedTime / 1000;
    deps.metrics.count({ method, route: routeOptions.url ?? '*', status: reply.statusCode, seconds });
    // Logs the route, never the URL: it may hold an invitation token.
    if (deps.log.isLevelEnabled('info')) {
      const { id: request_id, ip: address } = request;
      const answered = { status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
      deps.log.info({ request_id, method, route: routeOptions.url ?? '*', ...answered, address }, 'request');
    }
    done();
  });
  app.setErrorHandler((error, request, reply) =>
    sendProblem(reply, asAppError(error, request.id, deps.log), request.id),
  );
}

/** Errors of the router precede all hooks. */
function refuseEarly(
  deps: Deps,
  headers: Readonly<Record<string, string>>,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.headers(headers);
  void sendProblem(reply, asAppError(error, request.id, deps.log), request.id);
}

/** For bytes that are not HTTP. */
function rawBadRequest(headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify({ message: SERVER_TEXTS.malformed, code: 'bad_request', request_id: null });
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  return ['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n');
}
