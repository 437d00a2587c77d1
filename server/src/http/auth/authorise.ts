/**
 * Checks in the order of docs/spec/api.md §1.3: credential (401), CSRF (419), restriction (403), group (404), role,
 * scope, fresh sign-in (403), other path ids (404), server crypto (403).
 */
import type { FastifyRequest } from 'fastify';
import { scopeOf } from '@passwordbroker/core/contract/endpoint';
import type { Access, Endpoint } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { GROUP_ACTIONS, can } from '@passwordbroker/core/domain/policy';
import type { GroupAction, Role } from '@passwordbroker/core/domain/policy';
import { latestPast } from '../../platform/clock.ts';
import { readSiteSettings } from '../../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import type { ReceivedBody } from '../body/body.ts';
import type { Actor, Deps, RequestContext } from '../context.ts';
import { checkCsrf } from './cross-site.ts';
import { checkProof, hasProof } from './proof.ts';
import { findEntry, findGroup, findOnFieldPath, hasHistoryRow, isPerson } from './path-repository.ts';
import type { EntryInPath, EntryOfField, FieldInPath, GroupInPath, GroupOfField } from './path-repository.ts';
import type { Route } from '../route.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface PathRows {
  readonly params: Readonly<Record<string, string>>;
  readonly group: GroupInPath | GroupOfField | null;
  readonly entry: EntryInPath | EntryOfField | null;
  readonly field: FieldInPath | null;
}

/** Returns the rows that the path names. @throws AppError of the first failed check */
export async function authorise(
  deps: Deps,
  route: Route,
  request: FastifyRequest,
  context: RequestContext,
  members: ReceivedBody['members'],
): Promise<PathRows> {
  const { endpoint, options } = route;
  const { actor } = context;
  if (endpoint.access !== 'anyone' && actor === null) throw new AppError('unauthenticated');
  const raw = request.params as Record<string, string>;
  const refusal = await options.permit?.(context, withoutNul(raw)).then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal instanceof AppError && refusal.status === 401) throw refusal;
  if (options.needsNoCsrf?.(members) !== true) checkCsrf(deps, request, context.method, actor);
  if (actor !== null) demandForService(actor, endpoint);
  if (actor !== null) demandUnrestricted(actor, endpoint, raw);
  if (refusal !== null && refusal !== undefined) throw refusal;
  if (actor !== null) await demandRoleOfSite(deps, endpoint.access, actor, raw);
  const action = GROUP_ACTIONS.find((name) => name === endpoint.access);
  // Before any row inside the group is read.
  const found = action === undefined || actor === null ? null : await demandRole(deps, actor, raw, action);
  if (actor !== null) requireScopeAndFreshSignIn({ ...context, actor }, endpoint);
  const params = readParams(raw, endpoint.textParams ?? []);
  const { entry, field } = await findNested(deps, params, found);
  return { params, group: found?.group ?? null, entry, field };
}

/**
 * Also used by calls that anyone may make but where a site admin may do more (`users.register`). A restricted
 * session reads no account but its own, even where site admins read others.
 */
function demandUnrestricted(
  { restriction, scopes, userId }: Actor,
  endpoint: Endpoint,
  { id }: Readonly<Record<string, string>>,
): void {
  if (restriction === null || (endpoint.access === 'anyone' && scopeOf(endpoint) === null)) return;
  const isAllowed = endpoint.whileRestricted === true && (id === undefined || uuidOf(id) === userId);
  if (restriction === 'link') {
    if (scopes !== null || !isAllowed) throw linkRequired();
    return;
  }
  if (scopes !== null) throw new AppError('token_without_factor');
  if (!isAllowed) throw new AppError('second_factor_enrolment_required');
}

/** Whether a service account may call it: what the contract marks, and every GET that a member may make in a group. */
function admitsServices({ service, method, access }: Endpoint): boolean {
  const action = GROUP_ACTIONS.find((name) => name === access);
  return service === true || (method === 'GET' && action !== undefined && can('member', action));
}

/** @throws AppError `forbidden` for a service account, unless address and call are admitted */
function demandForService({ service }: Actor, endpoint: Endpoint): void {
  if (service === null) return;
  if (!service.isAddressAllowed) throw new AppError('forbidden', { message: SERVER_TEXTS.serviceAddress });
  if (!admitsServices(endpoint)) throw new AppError('forbidden', { message: SERVER_TEXTS.serviceCall });
}

const linkRequired = () => new AppError('sso_link_required', { message: SERVER_TEXTS.linkFirst });

const FRESH_MS = 10 * 60_000;

export const freshUntil = ({ confirmedAt }: Pick<Actor, 'confirmedAt'>): number => confirmedAt + FRESH_MS;

/** False for future times, after a clock was set back. */
export const isFresh = (confirmedAt: number, now: number): boolean =>
  now < freshUntil({ confirmedAt }) && confirmedAt <= latestPast(now);

type SignedInRequest = RequestContext & { readonly actor: Actor };

/** Proofs are checked later, with the body. */
function requireScopeAndFreshSignIn(context: SignedInRequest, endpoint: Endpoint): void {
  const { deps, actor } = context;
  const { fresh } = endpoint;
  const scope = scopeOf(endpoint);
  if (scope !== null && actor.scopes?.includes(scope) === false) throw new AppError('forbidden');
  if (endpoint.browserOnly === true && actor.scopes !== null) throw new AppError('forbidden');
  const isAsked =
    fresh === true ||
    (fresh === 'without-keys' && !actor.hasKeys) ||
    (fresh === 'with-factor' && actor.factorState !== 'none') ||
    (fresh === 'or-proof' && !hasProof(context));
  if (isAsked) demandFreshSignIn(deps, actor);
}

/** For calls whose need depends on data. @throws AppError `reauth_required`; as `checkProof` */
export async function demandFreshSignInOrProof(context: SignedInRequest): Promise<void> {
  if (hasProof(context)) await checkProof(context);
  else demandFreshSignIn(context.deps, context.actor);
}

export function demandFreshSignIn({ clock }: Pick<Deps, 'clock'>, actor: Pick<Actor, 'confirmedAt'>): void {
  if (!isFresh(actor.confirmedAt, clock.now())) throw new AppError('reauth_required');
}

/** Lower-cases path ids. @throws AppError `not_found` for an invalid UUID */
function readParams(raw: Readonly<Record<string, string>>, textParams: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of Object.keys(raw)) {
    const value = raw[name] ?? '';
    const isText = textParams.includes(name);
    if (isText && value.includes(NUL)) throw new AppError('not_found');
    params[name] = isText ? value : readId(value);
  }
  return params;
}

/** PostgreSQL refuses NUL; nothing stored contains it. */
const NUL = '\0';
const withoutNul = (raw: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, value.includes(NUL) ? '' : value]));

function readId(value: string | undefined): string {
  const id = uuidOf(value);
  if (id === null) throw new AppError('not_found');
  return id;
}

function uuidOf(value: string | undefined): string | null {
  const id = (value ?? '').toLowerCase();
  return UUID.test(id) ? id : null;
}

export const readsSite = ({ isAdmin, isAuditor }: Pick<Actor, 'isAdmin' | 'isAuditor'>): boolean =>
  isAdmin || isAuditor;

const ADMITTED: Partial<Record<Access, (actor: Actor) => boolean>> = {
  'site-admin': ({ isAdmin }) => isAdmin,
  'self-or-site-admin': ({ isAdmin }) => isAdmin,
  'site-reader': readsSite,
  'self-or-site-reader': readsSite,
};

/** @throws AppError `forbidden`; `not_found` for an unknown person, which is no secret */
async function demandRoleOfSite(
  { db }: Pick<Deps, 'db'>,
  access: Access,
  actor: Actor,
  raw: Readonly<Record<string, string>>,
): Promise<void> {
  const isAdmitted = ADMITTED[access];
  if (isAdmitted === undefined) return;
  if (access.startsWith('self-or-')) {
    const userId = readId(raw['id']);
    if (actor.userId === userId) return;
    if (!(await isPerson(db, userId))) throw new AppError('not_found');
  }
  if (!isAdmitted(actor)) throw new AppError('forbidden');
}

interface Found {
  readonly group: GroupInPath | GroupOfField;
  readonly nested?: Pick<PathRows, 'entry' | 'field'>;
}

/** @throws AppError `not_found`, `forbidden` */
async function demandRole(
  deps: Pick<Deps, 'db'>,
  actor: Actor,
  raw: Readonly<Record<string, string>>,
  action: GroupAction,
): Promise<Found> {
  const groupId = readId(raw['g']);
  const [entryId, fieldId] = [uuidOf(raw['e']), uuidOf(raw['f'])];
  if (entryId !== null && fieldId !== null) {
    const path = await findOnFieldPath(deps.db, { groupId, entryId, fieldId }, actor.userId);
    if (path === undefined) throw new AppError('not_found');
    const { entry_group_id, gk_version, role } = path.group;
    const group = { entry_group_id, gk_version, role: requireRole(role, action) };
    return { group, nested: { entry: path.entry, field: path.field } };
  }
  const group = await findGroup(deps.db, groupId, actor.userId);
  if (group === undefined) throw new AppError('not_found');
  return { group: { ...group, role: requireRole(group.role, action) } };
}

/** @throws AppError `forbidden` */
function requireRole(role: Role | null, action: GroupAction): Role {
  if (role === null || !can(role, action)) throw new AppError('forbidden');
  return role;
}

async function findNested(
  deps: Deps,
  params: Readonly<Record<string, string>>,
  found: Found | null,
): Promise<Pick<PathRows, 'entry' | 'field'>> {
  const { g, e, f, logId } = params;
  if (g === undefined || e === undefined) return { entry: null, field: null };
  const entry = found?.nested === undefined ? ((await findEntry(deps.db, g, e)) ?? null) : found.nested.entry;
  if (entry === null) throw new AppError('not_found');
  if (f === undefined) return { entry, field: null };
  // The role check found the field.
  const field = found?.nested?.field ?? null;
  if (field === null) throw new AppError('not_found');
  if (logId !== undefined && !(await hasHistoryRow(deps.db, f, logId))) throw new AppError('not_found');
  return { entry, field };
}

/** @throws AppError `server_crypto_disabled` if the site or this person forbids it */
export async function refuseServerCrypto(deps: Deps, actor: Actor | null): Promise<void> {
  const { server_crypto } = await readSiteSettings(deps);
  if (server_crypto === 'off' || actor?.serverCryptoOptOut === true) throw new AppError('server_crypto_disabled');
}
