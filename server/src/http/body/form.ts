import { refuse } from '@passwordbroker/core/contract/problem';
import type { JsonPart } from './body.ts';
import type { RoutesByMethod, Route } from '../route.ts';
import { memberAt } from '../validation.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';

/**
 * Handler and schema of the sealed or plain form. @throws AppError `validation` for a sealed body with a
 * master password
 */
export function formOf(route: Route, members: Readonly<Record<string, unknown>>, hasProof: boolean) {
  const { body } = route.endpoint;
  const run = (handler: Route['sealed']) => {
    if (handler === null) throw new Error(`${route.endpoint.path} has no handler for this form`);
    return handler;
  };
  if (body === undefined || 'schema' in body) {
    const isPlain = route.plain !== null;
    return { isPlain, schema: body?.schema, run: run(route.plain ?? route.sealed) };
  }
  const marker = body.marker?.split('.') ?? [];
  const isSealed = body.marker === null ? hasProof : (memberAt(members, marker) ?? null) !== null;
  const masterPassword = [...marker.slice(0, -1), 'master_password'];
  if (isSealed && (memberAt(members, masterPassword) ?? null) !== null) {
    throw refuse(masterPassword.join('.'), SERVER_TEXTS.masterPasswordUnexpected);
  }
  return isSealed
    ? { isPlain: false, schema: body.sealed, run: run(route.sealed) }
    : { isPlain: true, schema: body.plain, run: run(route.plain) };
}

export function jsonPartOf(routes: RoutesByMethod): JsonPart | undefined {
  const route = routes.get('POST');
  const body = route?.endpoint.body;
  if (body === undefined || !('marker' in body) || body.marker === null) return undefined;
  return { name: body.marker, unread: route?.options.leavesJsonUnread === true };
}
