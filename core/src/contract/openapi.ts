import * as z from 'zod/mini';
import { scopeOf } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';

type Json = Record<string, unknown>;
type Schema = z.core.$ZodType;

/** OpenAPI 3.1. Request schemas describe JSON; forms carry the same members as text. */
export function openApi(endpoints: Readonly<Record<string, Endpoint>>, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'PasswordBroker',
      version,
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
      description:
        'Unsafe methods with a cookie need the header X-XSRF-TOKEN with the value of the cookie XSRF-TOKEN. ' +
        'Bodies may be JSON, urlencoded or multipart; `_method` in the body of a POST stands for put, patch or delete.',
    },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-pb_session' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'pbt_' },
      },
      schemas: { Problem: PROBLEM },
    },
  };
}

const PROBLEM: Json = {
  type: 'object',
  required: ['message', 'code', 'request_id'],
  properties: {
    message: { type: 'string' },
    code: { type: 'string', description: 'What callers branch on' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    details: { type: 'object' },
    request_id: { type: 'string' },
  },
};

const LINK: Json = {
  description:
    'RFC 8288: rel="first" is the newest page, rel="next" the one behind this; without "next" this is the last',
  schema: { type: 'string' },
};

const ETAG: Json = { description: 'The version, in quotes', schema: { type: 'string' } };

function operation(name: string, endpoint: Endpoint): Json {
  const { summary, access, answer, body } = endpoint;
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint.query)];
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary,
    description: whoMayCall(endpoint),
    security: access === 'anyone' ? [] : [{ session: [] }, { token: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? filesOnly(endpoint) : { requestBody: requestBody(endpoint, body) }),
    responses: {
      [String(answer.status)]: {
        description: 'Done',
        ...(endpoint.paged === true ? { headers: { Link: LINK } } : {}),
        ...(endpoint.conditional === true ? { headers: { ETag: ETAG } } : {}),
        ...answerContent(answer),
      },
      ...(endpoint.conditional === true ? { '304': { description: 'The client has this version' } } : {}),
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function whoMayCall(endpoint: Endpoint): string {
  const scope = scopeOf(endpoint);
  return [
    ROLES_TOLD[endpoint.access] ?? `Needs the right '${endpoint.access}' in the group of the path.`,
    ...(scope === null ? [] : [`A token needs the scope '${scope}'.`]),
    ...freshnessTold(endpoint.fresh),
    ...(endpoint.browserOnly === true ? ['Refuses tokens.'] : []),
    ...(endpoint.whileRestricted === true ? ['Works in a session that must set up a second factor first.'] : []),
    ...(endpoint.worksOnFullDisk === true ? ['Works while the disk of the server is nearly full.'] : []),
  ].join(' ');
}

const ROLES_TOLD: Readonly<Record<string, string>> = {
  anyone: 'Anyone may call.',
  'signed-in': 'For people who are signed in.',
  'self-or-site-admin': 'For the person of the path and for site admins.',
  'self-or-site-reader': 'For the person of the path, for site admins and for auditors.',
  'site-admin': 'For site admins.',
  'site-reader': 'For site admins and auditors.',
};
function freshnessTold(fresh: Endpoint['fresh']): string[] {
  if (fresh === undefined) return [];
  if (typeof fresh !== 'object') return [FRESHNESS[String(fresh)] ?? ''];
  const named = (members: readonly string[]) => members.map((name) => `\`${name}\``).join(' or ');
  return [
    `To change ${named(fresh.changingAnother)} of another account, or ${named(fresh.changingOwnWithFactor)} of one’s own with a second factor, takes ${FRESH}.`,
  ];
}
const FRESH = 'a sign-in, or `confirmPassword`, of the last ten minutes';
const FRESHNESS: Readonly<Record<string, string>> = {
  true: `Needs ${FRESH}.`,
  'or-proof': `Needs ${FRESH}, unless the request carries a proof of the open keyring.`,
  'without-keys': `An account without keys needs ${FRESH} instead of a proof.`,
  'with-factor': `An account with a second factor needs ${FRESH}.`,
};

function pathParameters({ path, textParams = [] }: Endpoint): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: textParams.includes(name) ? { type: 'string' } : { type: 'string', format: 'uuid' },
  }));
}

function queryParameters(query: Schema | undefined): Json[] {
  if (query === undefined) return [];
  const { properties = {} } = jsonSchema(query) as { properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}

function requestBody({ files = [] }: Endpoint, body: NonNullable<Endpoint['body']>): Json {
  const schema =
    'schema' in body
      ? jsonSchema(body.schema)
      : {
          description: `The first form carries the master password; the second is sealed by the client and is told by its member '${body.marker}'.`,
          anyOf: [jsonSchema(body.plain), jsonSchema(body.sealed)],
        };
  const form = {
    'application/x-www-form-urlencoded': { schema },
    'multipart/form-data': { schema: withFiles(schema, files) },
  };
  return { required: true, content: { 'application/json': { schema }, ...form } };
}

function filesOnly({ files }: Endpoint): Json {
  if (files === undefined) return {};
  const schema = withFiles({ type: 'object' }, files);
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
}

function withFiles(schema: Json, files: readonly string[]): Json {
  if (files.length === 0) return schema;
  const binary = { type: 'string', format: 'binary' };
  const parts = files.includes('*')
    ? { additionalProperties: binary }
    : { properties: Object.fromEntries(files.map((name) => [name, binary])) };
  return { allOf: [schema, { type: 'object', ...parts }] };
}

function answerContent({ schema, type }: Endpoint['answer']): Json {
  if (schema !== undefined) return { content: { 'application/json': { schema: jsonSchema(schema) } } };
  return type === undefined ? {} : { content: { [type.split(';')[0] ?? type]: { schema: { type: 'string' } } } };
}

/** After normalisation (`'12'` becomes 12). */
function jsonSchema(schema: Schema): Json {
  const printed = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema: node }) => {
      // They are ignored, not rejected.
      if (node.additionalProperties === false) delete node.additionalProperties;
    },
  });
  const { $schema: _, ...rest } = printed as Json;
  return rest;
}
