/** Members of every wrong type, generated from the contract, are refused without a 500 (T51, T71). */
import * as z from 'zod/mini';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '@passwordbroker/core/contract/endpoint';
import { ROUTES } from '../../app/app.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { insertPlace } from '../../testing/test-place.ts';
import type { TestPlace } from '../../testing/test-place.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let place: TestPlace;
const WRONG: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e308,
  true,
  '',
  'x',
  '\0',
  '\ud800',
  'x'.repeat(2000),
  [],
  [[]],
  [null],
  {},
  { a: { b: [1] } },
  { toString: 1, length: -1 },
];
const WRONG_TEXTS = ['', '0', '-1', 'abc', '1e6', '101', '1000000000000000000000', '\0', '%', '[]', UNKNOWN];

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  place = await insertPlace(app.deps, { [ada.userId]: 'admin' });
});
afterAll(() => app.stop());

type JsonSchema = { readonly properties?: Readonly<Record<string, JsonSchema>> };
const printed = (schema: z.core.$ZodType) =>
  z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema;

/** Paths of all members, also those inside objects: `[['user'], ['user', 'email']]`. */
function membersOf(schema: JsonSchema, above: readonly string[] = []): (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    [...above, name],
    ...membersOf(inner, [...above, name]),
  ]);
}

function schemasOf({ body }: Endpoint): z.core.$ZodType[] {
  if (body === undefined) return [];
  return 'schema' in body ? [body.schema] : [body.plain, body.sealed];
}

/** A body with this member, e.g. `{user: {email: 5}}`. */
function bodyWith(path: readonly string[], value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path;
  return { [name]: rest.length === 0 ? value : bodyWith(rest, value) };
}

/** Imports parse their bodies in a worker thread; tested in `import/`. */
const withBody = ROUTES.filter(
  ({ endpoint, options }) =>
    endpoint.body !== undefined && !endpoint.path.endsWith('/logout') && options.leavesJsonUnread !== true,
);
/** The path with existing ids, so that the body is examined. */
const pathOf = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => place[name as keyof TestPlace] ?? UNKNOWN);

/** Some of these values are valid, e.g. a text as a name or a number in a setting. */
const isRight = (endpoint: Endpoint, body: unknown) =>
  schemasOf(endpoint).some((schema) => z.safeParse(schema, body).success);

describe.each(withBody.map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_name, endpoint) => {
    test('members of wrong types are refused', async () => {
      const paths = schemasOf(endpoint).flatMap((schema) => membersOf(printed(schema)));
      for (const path of paths) {
        for (const value of WRONG) {
          const json = bodyWith(path, value);
          const answer = await ada.request({ method: endpoint.method, path: pathOf(endpoint.path), json });
          const what = `${path.join('.')}: ${JSON.stringify(value)?.slice(0, 40)} → ${answer.status} ${answer.text}`;
          const taken = isRight(endpoint, json) ? [200, 201] : [];
          expect([400, 401, 403, 404, 409, 422, 429, ...taken], what).toContain(answer.status);
        }
      }
    });
  },
);

const withQuery = ROUTES.filter(({ endpoint }) => endpoint.query !== undefined);

test.each(withQuery.map(({ endpoint }) => [endpoint.path, endpoint] as const))(
  'the query of %s refuses wrong values',
  async (_path, endpoint) => {
    for (const [name] of membersOf(printed(endpoint.query!))) {
      for (const text of WRONG_TEXTS) {
        const path = `${pathOf(endpoint.path)}?${name}=${encodeURIComponent(text)}`;
        const { status } = await ada.request({ path });
        expect([200, 404, 422], `${path} → ${status}`).toContain(status);
      }
    }
  },
);

/** Queries with pages. */
const pages = withQuery.filter(({ endpoint }) =>
  membersOf(printed(endpoint.query!)).some(([name]) => name === 'perPage'),
);

test.each(pages.map(({ endpoint }) => [endpoint.path, endpoint] as const))(
  'the pages of %s refuse wrong numbers (T71)',
  async (_path, endpoint) => {
    const get = (query: string) => ada.request({ path: `${pathOf(endpoint.path)}?${query}` });
    for (const query of ['page=0', 'page=-1', 'page=abc', 'perPage=0', 'perPage=101', 'perPage=1e6']) {
      const answer = await get(query);
      const { errors } = answer.json<{ errors: object }>();
      expect([query, answer.status, Object.keys(errors)]).toEqual([query, 422, [query.split('=')[0]]]);
    }
    const after = await get('page=1000&perPage=100');
    expect([after.status, after.json()['data'], after.json()['current_page']]).toEqual([200, [], 1000]);
  },
);
