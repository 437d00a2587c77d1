/**
 * Requests of the random walk: any call of the table, with ids from all groups and valid, invalid
 * or absent bodies.
 */
import { v7 } from 'uuid';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { TestRequest } from '../../testing/test-client.ts';
import type { WalkRequest } from './oracle.ts';
import type { Chance } from './seeded.ts';
import { NOT_YET, TABLE } from './table.ts';
import type { WalkState } from './walk-state.ts';

/**
 * Calls that end a walker's credentials, are limited, take a second each, name groups in a proven body, or concern a person's own exports,
 * devices or service accounts; the matrix tests them.
 */
const LEFT_OUT =
  /login|logout|backup|invite|registration|password|confirmPassword|factor|sso\/|providers\/|import|masterPassword|keyBundle|getPrivateRsa|userApplication\/|serviceAccount\/|exports|releases|keyReset|disabled|admin$|DELETE .*(sessions|tokens|user\/:id)|PUT .*(setting|serverCrypto|user\/:id)|POST .*offboarding/;

const CALLS = [...new Map(TABLE.map((call) => [call.short, call])).values()].filter(
  ({ short, outcomes }) => !NOT_YET.has(short) && outcomes.An === 401 && !LEFT_OUT.test(short),
);
export const WALKED = CALLS.map(({ short }) => short);

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

export interface Drawn extends WalkRequest {
  readonly request: TestRequest;
}

export function draw(chance: Chance, state: WalkState, masterPassword: string): Drawn {
  const call = chance.of(CALLS);
  const { short, method } = call;
  const params = drawParams(
    chance,
    state,
    [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
  );
  const { body, target: named } = drawBody(chance, state, { short, method, g: params['g'] ?? '', masterPassword });
  const excluded = short === 'GET /identity/api/users/search' && chance.oneIn(2) ? anyGroup(chance, state) : undefined;
  const query = excluded === undefined ? queryOf(short, state) : `?entryGroupExclude=${excluded}`;
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '') + query;
  const target = named ?? excluded;
  const request = { method, path, ...(body === undefined ? {} : { json: body }) };
  return { short, params, body, ...(target === undefined ? {} : { target }), request };
}

const QUERIES: Readonly<Record<string, string>> = {
  'GET B/entrySearch': '?q=walk',
  'GET G/history': '?with_children=true',
  'GET /system/api/auditLog/export': '?format=ndjson',
  'GET /identity/api/certificates': `?user_ids=${UNKNOWN}`,
};

/** Calls with the ids of all groups return the caller's groups only. */
function queryOf(short: string, { groups, entries, fields }: WalkState): string {
  if (short === 'GET B/entries') return `?entry_ids=${[...entries.keys()].slice(0, 100).join(',') || UNKNOWN}`;
  if (short === 'GET B/names') {
    const ids = [...fields.keys(), ...entries.keys(), ...groups.keys()];
    return `?ids=${ids.slice(-LIMITS.namesAtOnce).join(',') || UNKNOWN}`;
  }
  if (short !== 'GET B/groupUsers' && short !== 'GET B/rosters') return QUERIES[short] ?? '';
  return `?entry_group_ids=${[...groups.keys()].slice(0, LIMITS.groupsAtOnce).join(',')}`;
}

const anyGroup = (chance: Chance, { groups }: WalkState) =>
  chance.oneIn(12) ? UNKNOWN : chance.of([...groups.keys()]);

/** Usually objects in their place; otherwise misplaced, trashed or unknown ones, or malformed ids. */
function drawParams(chance: Chance, state: WalkState, names: readonly string[]): Record<string, string> {
  const g = anyGroup(chance, state);
  const isStray = chance.oneIn(4);
  const pick = (ids: readonly string[]) => (ids.length === 0 ? UNKNOWN : chance.of(ids));
  const matching = <T>(all: ReadonlyMap<string, T>, lies: (thing: T) => boolean) =>
    pick([...all].filter(([, thing]) => isStray || lies(thing)).map(([id]) => id));
  const e = matching(state.entries, (entry) => entry.g === g);
  const f = matching(state.fields, (field) => field.e === e);
  const drawn: Record<string, string> = {
    g,
    e,
    f,
    logId: matching(state.history, (field) => field === f),
    d: matching(state.departures, (group) => group === g),
    t: matching(state.templates, (group) => group === g),
    u: pick([...state.users]),
    id: pick([...state.users]),
    operationId: pick([...state.operations.keys()]),
  };
  const spelled = (id: string) => (chance.oneIn(30) ? chance.of(['x', `${id}0`, '%00', '*']) : id);
  return Object.fromEntries(
    names.map((name) => {
      const id = drawn[name] ?? UNKNOWN;
      return [name, chance.oneIn(10) ? id.toUpperCase() : chance.oneIn(25) ? UNKNOWN : spelled(id)];
    }),
  );
}

interface About {
  readonly short: string;
  readonly method: string;
  readonly g: string;
  readonly masterPassword: string;
}

function drawBody(
  chance: Chance,
  state: WalkState,
  about: About,
): { readonly body?: Record<string, unknown>; readonly target?: string } {
  if (about.method === 'GET') return {};
  const kind = chance.below(6);
  if (kind === 0) return {};
  if (kind === 1) return { body: chance.of<Record<string, unknown>>([{}, { name: 1, title: [] }, { entries: 'x' }]) };
  return validBody(chance, state, about);
}

function validBody(chance: Chance, state: WalkState, { short, g, masterPassword }: About) {
  const target = anyGroup(chance, state);
  const master = { master_password: masterPassword };
  const here = [...state.entries].filter(([, entry]) => entry.g === g.toLowerCase() && entry.trashedBy === null);
  const entries = here.length === 0 ? [UNKNOWN] : [chance.of(here)[0]];
  if (short === 'POST B/entryGroups') {
    if (chance.oneIn(3)) return { body: { name: 'walk' } };
    return { body: { name: 'walk', parent_entry_group_id: target }, target };
  }
  if (short === 'POST B/access/preview') {
    return { body: { act: { kind: 'delete-group', entry_group_id: target } }, target };
  }
  if (short === 'PATCH G') return chance.oneIn(3) ? { body: {} } : { body: { entryGroupTarget: target }, target };
  if (short === 'PATCH E') return { body: { entryGroupTarget: target, ...master }, target };
  if (short.endsWith('bulkEdit/move')) return { body: { entries, entryGroupTarget: target, ...master }, target };
  if (short.includes('bulkEdit')) return { body: { entries } };
  if (short === 'POST G/users') {
    return { body: { target_user_id: chance.of([...state.users]), role: 'member', ...master } };
  }
  if (short.endsWith('/restore') || short.endsWith('/undo')) return { body: {} };
  if (short === 'POST E/fields') return { body: { type: 'note', value: 'walk', ...master } };
  if (short === 'PUT G/templates/:t') return { body: { name: 'walk', fields: [{ type: 'note', title: 'walk' }] } };
  if (short === 'PUT F') return { body: { value: 'walk', ...master } };
  if (short === 'POST /identity/api/userApplications') return { body: { clientId: v7() } };
  if (short === 'POST /identity/api/token') return { body: { token_name: `walk ${v7()}` } };
  return { body: { name: 'walk', title: 'walk', ...master } };
}
