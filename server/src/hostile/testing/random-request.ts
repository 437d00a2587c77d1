/** Hostile requests from the paths and names of the contract. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import * as z from 'zod/mini';
import type { Endpoint } from '@passwordbroker/core/contract/endpoint';
import { ROUTES } from '../../app/app.ts';
import type { TestRequest } from '../../testing/test-client.ts';

/** Sent as every secret; it must not appear in responses and logs. */
export const CANARY = 'canary-9f1c-Zulu';

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  'null',
  'true',
  '\0',
  '\r\nSet-Cookie: a=b',
  '\u001b[31m',
  '\u202Eexe.txt',
  '\ud800',
  '\uFEFF',
  'ﷺ'.repeat(50),
  'Z̷̨͙͖'.repeat(60),
  '👩‍👩‍👧‍👦',
  '%',
  '%00',
  '%2e%2e%2f',
  '../../etc/passwd',
  '${7*7}',
  "' or 1=1 --",
  '"; drop table users; --',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'A'.repeat(70_000),
  '00000000-0000-4000-8000-000000000000',
  '00000000-0000-4000-8000-00000000000G',
  '9'.repeat(400),
  '%25%32%65%25%32%65%25%32%66',
  'admin\u0000',
  '\u2028\u2029\u0085',
  '\u{E0041}\u{E0042}',
  '\uFDD0\uFFFE',
  'ı͟İſK',
  '1_000',
  '0x10',
  '٣',
] as const;

/** Replaces lone surrogates. */
const wellFormed = (one: string) => Buffer.from(one).toString();

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [[]], [{}]),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(text, { maxLength: 5 }),
);

type JsonSchema = { readonly properties?: Readonly<Record<string, JsonSchema>> };
const membersOf = (schema: z.core.$ZodType) =>
  Object.keys((z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema).properties ?? {});

function namesIn({ body, query }: Endpoint): { readonly body: readonly string[]; readonly query: readonly string[] } {
  const schemas = body === undefined ? [] : 'schema' in body ? [body.schema] : [body.plain, body.sealed];
  return {
    body: [...new Set([...schemas.flatMap(membersOf), 'master_password', '_method'])],
    query: [...(query === undefined ? [] : membersOf(query)), '_method'],
  };
}

const SECRETS = new Set(['master_password', 'password', 'value', 'archive_password']);

const members = (names: readonly string[]) =>
  fc
    .array(fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, text), value), { maxLength: 6 })
    .map((pairs) => pairs.map(([name, one]): [string, unknown] => [name, SECRETS.has(name) ? CANARY : one]));

const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const TYPES = [
  'application/json; charset=utf-7',
  'application/json, text/plain',
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'multipart/form-data; boundary="a b"; boundary=c',
  'application/json',
  'APPLICATION/JSON; charset=utf-16',
  'application/json;\tx',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/xml',
  '',
] as const;

const header = fc.constantFrom<readonly [string, string]>(
  ['x-http-method-override', 'DELETE'],
  ['authorization', 'Bearer pbt_aaaa'],
  ['authorization', 'Basic YTpi'],
  ['cookie', 'passwordbroker_session=%E0%A4%A; XSRF-TOKEN='],
  ['origin', 'https://evil.example'],
  ['host', 'evil.example'],
  ['x-forwarded-for', '1.2.3.4, not an address'],
  ['x-request-id', '\u00e9'.repeat(300)],
  ['x-operation-id', '../..'],
  ['content-encoding', 'gzip'],
  ['accept', '*/*;q=NaN'],
  ['range', 'bytes=0-,-1'],
  ['if-none-match', '"\\"'],
  ['expect', 'something'],
  ['x-pb-proof', 'v1.x.y.z'],
  ['x-pb-proof', 'A'.repeat(5000)],
  ['x-xsrf-token', 'a.b'],
  ['if-match', '-1'],
  ['if-match', '*'],
  ['if-match', '1e999'],
  ['x-method-override', 'DELETE'],
  ['x-http-method', 'PUT'],
  ['x-original-url', '/identity/api/keyBundle'],
  ['x-setup-token', '\u00e9\u00e9'],
  ['sec-fetch-site', 'cross-site'],
  ['content-encoding', 'br, gzip'],
  ['accept-encoding', 'gzip;q=NaN, *;q=-1'],
  ['forwarded', 'for="_x";proto=https;host=evil.example'],
  ['te', 'trailers, chunked'],
);

/** Suffixes of query names. */
const SPELLINGS = ['', '', '', '[]', '[0]', '[a][b]', '[__proto__]', '%5B%5D', '%00', '&', '==', ';'] as const;

/** JSON that no serialiser writes. */
const ODD_JSON = [
  '{"title":"a","title":"b","title":{"c":1}}',
  '{"__proto__":{"is_admin":true}}',
  '{"constructor":{"prototype":{}}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '{"page":1e400,"n":-0,"m":0.1e-400}',
  '{"a":"\\ud800"}',
  '\uFEFF{"title":"x"}',
  '{"title":"x"} {"title":"y"}',
  "{'title':'x'}",
  '{"title":"x",}',
  'null',
  '"text"',
  '1',
  '',
] as const;

/** A path segment; `ids` exist. */
const segment = (ids: readonly string[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...ids) },
    fc.constantFrom(...ids).map((id) => id.toUpperCase()),
    text.map((one) => encodeURIComponent(wellFormed(one)).slice(0, 3000)),
    fc.constantFrom('%', '%zz', '..', '.', '%2e%2e', '%00', ';', '%c0%af'),
  );

function pathOf(endpoint: Endpoint, ids: readonly string[]): fc.Arbitrary<string> {
  const parts = endpoint.path.split('/').map((part) => (part.startsWith(':') ? segment(ids) : fc.constant(part)));
  const query = fc.array(
    fc
      .tuple(fc.constantFrom(...namesIn(endpoint).query), fc.constantFrom(...SPELLINGS), text)
      .map(([name, spelling, one]) => {
        const encoded = encodeURIComponent(wellFormed(one)).slice(0, 3000);
        return `${name}${spelling}=${encoded}`;
      }),
    { maxLength: 4 },
  );
  return fc
    .tuple(fc.tuple(...parts), query)
    .map(([path, pairs]) => path.join('/') + (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
}

type Body = Pick<TestRequest, 'json' | 'form' | 'multipart' | 'raw'> & { readonly type?: string };

function bodyOf(endpoint: Endpoint): fc.Arbitrary<Body> {
  const pairs = members(namesIn(endpoint).body);
  const asText = (one: unknown) => (typeof one === 'string' ? one : (JSON.stringify(one) ?? ''));
  const json = pairs.map((all) => Object.fromEntries(all));
  return fc.oneof(
    { weight: 4, arbitrary: json.map((one) => ({ json: one })) },
    value.map((one) => ({ json: one ?? null })),
    pairs.map((all) => ({
      form: all
        .map(([name, one]) => [name, asText(one)].map((part) => encodeURIComponent(wellFormed(part))).join('='))
        .join('&'),
    })),
    pairs.map((all) => {
      const form = new FormData();
      for (const [name, one] of all) form.append(wellFormed(name), wellFormed(asText(one)));
      form.append('file', new Blob([CANARY]), '../\u202Eevil"\r\n.exe');
      return { multipart: form };
    }),
    fc
      .tuple(json, fc.constantFrom(...TYPES), fc.nat(60))
      .map(([one, type, cut]) => ({ raw: Buffer.from(JSON.stringify(one).slice(0, -cut || undefined)), type })),
    fc.constantFrom(...ODD_JSON).map((one) => ({ raw: Buffer.from(one), type: 'application/json' })),
    json.map((one) => ({
      raw: Buffer.from(JSON.stringify(one), 'utf16le'),
      type: 'application/json; charset=utf-16',
    })),
    json.map((one) => ({ raw: gzipSync(JSON.stringify(one)), type: 'application/json' })),
    fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...TYPES)).map(([bytes, type]) => ({
      raw: Buffer.from(bytes),
      type,
    })),
    fc.constant({}),
  );
}

/** @param ids of existing rows */
export function randomRequest(ids: readonly string[]): fc.Arbitrary<TestRequest> {
  // Requests that end the session are left out.
  const endpoints = ROUTES.map(({ endpoint }) => endpoint).filter(({ path }) => !path.endsWith('/logout'));
  return fc.constantFrom(...endpoints).chain((endpoint) =>
    fc
      .record({
        path: pathOf(endpoint, ids),
        method: fc.oneof({ weight: 5, arbitrary: fc.constant(endpoint.method) }, fc.constantFrom(...VERBS)),
        body: bodyOf(endpoint),
        headers: fc.array(header, { maxLength: 2 }),
      })
      .map(({ path, method, body: { type, ...body }, headers }) => ({
        path,
        method,
        ...(method === 'GET' || method === 'HEAD' ? {} : body),
        headers: { ...Object.fromEntries(headers), ...(type === undefined ? {} : { 'content-type': type }) },
      })),
  );
}
