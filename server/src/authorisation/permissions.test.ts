/**
 * Checks common to every endpoint, generated from the contract: credentials, CSRF, methods, ids of
 * the path. An endpoint that is declared but not mounted, or mounted but not declared, fails here.
 * `matrix.test.ts` has the rights of each call.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import type { Endpoint } from '@passwordbroker/core/contract/endpoint';
import { GROUP_ACTIONS } from '@passwordbroker/core/domain/policy';
import { ROUTES } from '../app/app.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestClient } from '../testing/test-client.ts';
import { insertPlace } from '../testing/test-place.ts';
import type { TestPlace } from '../testing/test-place.ts';

const endpoints = Object.entries(CONTRACT) as [string, Endpoint][];
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const pathOf = ({ path }: Endpoint) => path.replaceAll(/:\w+/g, UNKNOWN);

test('exactly the endpoints of the contract are mounted', () => {
  const declared = endpoints.map(([, endpoint]) => nameOf(endpoint)).sort();
  const mounted = ROUTES.map(({ endpoint }) => nameOf(endpoint)).sort();
  expect(mounted).toEqual(declared);
});

test('mounted endpoints are the objects of the contract, not copies', () => {
  const declared = new Set(Object.values(CONTRACT) as Endpoint[]);
  expect(ROUTES.filter(({ endpoint }) => !declared.has(endpoint)).map(({ endpoint }) => nameOf(endpoint))).toEqual([]);
});

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
const ended: [string, TestClient][] = [];

function copyOf(client: TestClient): TestClient {
  const copy = app.guest();
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
}

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  const leaving = await app.signIn(bob);
  ended.push(['a session that has ended', copyOf(leaving)]);
  await leaving.request({ path: '/identity/api/logout' });
  const carol = await app.signUp('carol');
  const older = await app.signIn(carol);
  ended.push(['an older epoch', copyOf(older)]);
  const dave = await app.signUp('dave');
  ended.push(['a deleted account', copyOf(dave)]);
  await app.deps.db.transact(async (tx) => {
    await tx.updateTable('users').set({ epoch: 2 }).where('user_id', '=', carol.userId).execute();
    await tx.deleteFrom('users').where('user_id', '=', dave.userId).execute();
  });
});
afterAll(() => app.stop());

const call = (client: TestClient, endpoint: Endpoint, withoutCsrf = false) =>
  client.request({
    method: endpoint.method,
    path: pathOf(endpoint),
    withoutCsrf,
    ...(endpoint.body === undefined ? {} : { json: {} }),
  });

/** Everything stored, except the record of refusals and the times of last use. */
async function everything(): Promise<string> {
  const { read } = app.deps.db;
  const { sql } = await import('kysely');
  const tables = await read.introspection.getTables();
  const kept: unknown[] = [];
  for (const { name } of tables.filter((table) => !table.name.startsWith('entry_search_trigrams'))) {
    if (['audit_log', 'audit_unsealed', 'refusal_counts', 'attempts', 'sessions'].includes(name)) continue;
    kept.push([name, (await sql.raw(`select * from ${name}`).execute(read)).rows]);
  }
  return JSON.stringify(kept);
}

const closed = endpoints.filter(([, endpoint]) => endpoint.access !== 'anyone');

describe.each(closed)('%s', (_name, endpoint) => {
  test('without a credential it is 401, also without a CSRF token', async () => {
    for (const withoutCsrf of [false, true]) {
      const answer = await call(app.guest(), endpoint, withoutCsrf);
      expect([answer.status, answer.json()['code']]).toEqual([401, 'unauthenticated']);
      expect(answer.json()['message']).toBe('You are not signed in. Sign in and try again.');
    }
  });

  test('ended credentials are 401', async () => {
    for (const [what, client] of ended) expect([what, (await call(client, endpoint)).status]).toEqual([what, 401]);
  });

  test('an invalid bearer token is 401, whatever the cookie is', async () => {
    const headers = { authorization: 'Bearer pbt_none' };
    const answer = await ada.request({ method: endpoint.method, path: pathOf(endpoint), headers });
    expect(answer.status).toBe(401);
  });

  const isGroupCall = GROUP_ACTIONS.some((action) => action === endpoint.access);
  if (endpoint.method !== 'GET') {
    test('without its CSRF token it is 419, and nothing changes', async () => {
      const before = await everything();
      expect((await call(bob, endpoint, true)).status).toBe(419);
      expect(await everything()).toBe(before);
    });
  }
  if (isGroupCall) {
    test('an unknown group is 404 for every signed-in person', async () => {
      for (const client of [ada, bob]) expect((await call(client, endpoint)).status).toBe(404);
    });
    test('malformed ids are 404', async () => {
      const answer = await ada.request({ method: endpoint.method, path: endpoint.path.replaceAll(/:\w+/g, 'x') });
      expect(answer.status).toBe(404);
    });
  }
  if (endpoint.access === 'site-admin') {
    test('it is 403 for people other than site admins, and recorded', async () => {
      const before = await everything();
      expect((await call(bob, endpoint)).status).toBe(403);
      expect(await everything()).toBe(before);
    });
  }
});

/**
 * Called without a cookie, and setting none: by the servers of identity providers, whose token
 * `sso/back-channel-logout.test.ts` judges, and by programs, whose secret and code `program-sign-in.test.ts` judges.
 */
const WITHOUT_COOKIE = ['sso.backChannelLogout', 'session.program'];

describe.each(
  endpoints.filter(
    ([name, endpoint]) => endpoint.access === 'anyone' && endpoint.method !== 'GET' && !WITHOUT_COOKIE.includes(name),
  ),
)('%s, open to anyone', (_name, endpoint) => {
  test('needs the CSRF token', async () => {
    const answer = await call(app.guest(), endpoint, true);
    // Registration is closed now, so guests get that error first.
    expect([401, 419]).toContain(answer.status);
  });
});

test('every method that a path does not support is 405 (T69)', async () => {
  const matches = (endpoint: Endpoint, path: string) =>
    new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
  for (const path of new Set(endpoints.map(([, endpoint]) => pathOf(endpoint)))) {
    // `trash/purge` also matches `trash/:operationId`.
    const methods = endpoints.filter(([, one]) => matches(one, path)).map(([, { method }]) => method as string);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS'].filter(
      (name) => !methods.includes(name),
    )) {
      expect([method, path, (await ada.request({ method, path })).status]).toEqual([method, path, 405]);
    }
  }
});

test('HEAD runs no call of the API except the probes', async () => {
  for (const [name, endpoint] of endpoints.filter(([, { method }]) => method === 'GET')) {
    const expected = name === 'system.health' || name === 'system.ready' ? 200 : 405;
    expect([name, (await ada.request({ method: 'HEAD', path: pathOf(endpoint) })).status]).toEqual([name, expected]);
  }
});

describe('ids of a path in a group', () => {
  const callers = new Map<string, SignedIn>();
  let place: TestPlace;
  beforeAll(async () => {
    for (const role of ['guest', 'admin']) callers.set(role, await app.signUp(role));
    const idOf = (role: string) => callers.get(role)?.userId ?? '';
    place = await insertPlace(app.deps, { [idOf('admin')]: 'admin' }, [idOf('guest')]);
  });

  test('a malformed id inside a group is 403 for people without a role in it', async () => {
    for (const [name, endpoint] of endpoints.filter(([, { path }]) => path.includes(':g/') && path.includes(':e'))) {
      const path = endpoint.path.replace(':g', place.g).replaceAll(/:\w+/g, 'x');
      const request = { method: endpoint.method, path, ...(endpoint.body === undefined ? {} : { json: {} }) };
      expect([name, (await bob.request(request)).status]).toEqual([name, 403]);
      expect([name, (await callers.get('admin')!.request(request)).status]).toEqual([name, 404]);
    }
  });

  test('objects under another parent are not found, with any role (T31-T33)', async () => {
    const admin = callers.get('admin')!;
    const other = await insertPlace(app.deps, { [admin.userId]: 'admin' });
    const misplaced = [
      { ...place, e: other.e },
      { ...place, e: other.e, f: other.f },
      { ...place, f: other.f },
      { ...place, logId: other.logId },
    ];
    for (const [name, endpoint] of endpoints) {
      for (const ids of misplaced) {
        const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
        if (
          !names.includes('g') ||
          names.every((param) => ids[param as keyof TestPlace] === place[param as keyof TestPlace])
        )
          continue;
        const path = endpoint.path.replaceAll(/:(\w+)/g, (_, param: string) => ids[param as keyof TestPlace]);
        const answer = await admin.request({
          method: endpoint.method,
          path,
          ...(endpoint.body === undefined ? {} : { json: {} }),
        });
        expect([name, answer.status]).toEqual([name, 404]);
      }
    }
  });

  test('refusals are recorded with the path and without the query', async () => {
    const guest = callers.get('guest')!;
    expect((await guest.request({ path: `/passwordBroker/api/entryGroups/${place.g}/history?limit=3` })).status).toBe(
      403,
    );
    const rows = await app.deps.db.read
      .selectFrom('audit_log')
      .select(['event_type', 'details'])
      .where('user_id', '=', guest.userId)
      .where('event_type', '=', 'access_refused')
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0]?.details ?? '')).toEqual({
      route: '/passwordBroker/api/entryGroups/:g/history',
      method: 'GET',
      code: 'forbidden',
    });
  });
});
