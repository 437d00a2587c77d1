import type { Method } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { ReceivedBody } from './body/body.ts';
import type { Route } from './route.ts';

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

/** Calls that the request can match before its body is read, the exact method first. */
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

/** HEAD is for health probes only; elsewhere it could trigger an audited GET without showing its result. */
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
