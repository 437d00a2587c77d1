/** Prints the API reference: the request, the answer and an example of every call. */
import type { Endpoint } from '@passwordbroker/core/contract/endpoint';
import { openApi } from '@passwordbroker/core/contract/openapi';
import type { ApiExample } from './api-examples.ts';

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: Schema } } };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Longest text in an example; longer ones are truncated. */
const LONGEST = 48;

export function apiReference(
  contract: Readonly<Record<string, Endpoint>>,
  version: string,
  examples: Readonly<Record<string, ApiExample>>,
): string {
  const { paths } = openApi(contract, version) as { paths: Record<string, Record<string, Operation>> };
  const folderOf = (name: string) => name.split('.')[0] ?? '';
  const folders = new Set(Object.keys(contract).map(folderOf));
  const chapters = [...folders].map((folder) => {
    const calls = Object.entries(contract).filter(([name]) => folderOf(name) === folder);
    return [
      `## ${folder}`,
      ...calls.map(([name, endpoint]) => {
        const operation = paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
        const example = examples[name];
        if (operation === undefined || example === undefined) throw new Error(`${name} has no example`);
        return callText(endpoint, operation, example);
      }),
    ].join('\n\n');
  });
  return `${[HEAD, ...chapters].join('\n\n')}\n`;
}

const HEAD = `# API reference

Printed from the contract (\`core/src/contract\`, also served as \`/system/api/openapi.json\`): do not edit. \`?\` marks what may be left out, \`|\` one of several. The examples are
calls to a server that ran; long values are cut (\`…\`), and of a list the first row is shown. With a cookie, unsafe calls repeat the cookie \`XSRF-TOKEN\` in the header \`X-XSRF-TOKEN\`;
scripts send \`Authorization: Bearer pbt_…\` instead. How to begin, in an order that makes sense, is told in [the API page](spec/api.md).`;

const PAGED =
  'The header `Link` names the first page and, while there are older rows, the next one: `<…?limit=50&before=…>; rel="next"`.';

function callText(endpoint: Endpoint, operation: Operation, example: ApiExample): string {
  const query = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
  const body = operation.requestBody?.content['application/json']?.schema;
  const answer = operation.responses[String(endpoint.answer.status)]?.content;
  const answered = answer === undefined ? '' : answerText(answer);
  return [
    `### ${endpoint.method} ${endpoint.path}`,
    `${operation.summary}. ${operation.description}`,
    ...(query.length === 0
      ? []
      : [`Query: ${query.map(({ name, schema }) => `\`${name}\` ${typeText(schema)}`).join(', ')}`]),
    ...(body === undefined
      ? []
      : [
          formsOf(body)
            .map((form) => `Takes ${code(typeText(form))}`)
            .join('  \nor '),
        ]),
    `Answers ${endpoint.answer.status}${answered}`,
    ...(endpoint.paged === true ? [PAGED] : []),
    ['```http', ...exampleLines(example), '```'].join('\n'),
  ].join('\n\n');
}

const code = (text: string) => `\`${text}\``;
const formsOf = (schema: Schema): readonly Schema[] =>
  schema.anyOf === undefined || schema.type !== undefined ? [schema] : schema.anyOf;

function answerText(content: Readonly<Record<string, { readonly schema: Schema }>>): string {
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content);
  return type === 'application/json' ? ` ${code(typeText(schema))}` : ` with ${code(type)}`;
}

/** Renders a schema, e.g. `{name: string, parent_entry_group_id?: uuid | null}`. */
function typeText(schema: Schema): string {
  const { type, format, properties, required = [], items, anyOf } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeText))].join(' | ');
  if (properties !== undefined) {
    const members = Object.entries(properties).map(
      ([name, member]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(member)}`,
    );
    return `{${members.join(', ')}}`;
  }
  if (items !== undefined) return `[${typeText(items)}, …]`;
  if (typeof type === 'object') return type.join(' | ');
  return format ?? type ?? 'anything';
}

function exampleLines({ method, path, headers = {}, json, form, status, answer }: ApiExample): string[] {
  const sent = json === undefined ? undefined : shortened(json);
  return [
    `${method} ${cut(path, 160)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${cut(value)}`),
    ...(sent === undefined ? [] : ['', JSON.stringify(sent)]),
    ...(form === undefined ? [] : ['', ...Object.entries(form).map(([name, value]) => `${name}=${cut(value)}`)]),
    '',
    `${status}`,
    ...(answer === undefined ? [] : [JSON.stringify(shortened(answer), null, 1).replaceAll(/\n\s*/g, ' ')]),
  ];
}

const cut = (text: string, longest = LONGEST) => (text.length > longest ? `${text.slice(0, longest / 2)}…` : text);

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (Array.isArray(value)) {
    const first: unknown[] = value.slice(0, 1).map(shortened);
    return value.length > 1 ? [...first, '…'] : first;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}
