/**
 * `docs/api-reference.md` matches the contract, and so does each example. After a change of the contract:
 * record the examples again (`RECORD_EXAMPLES=1 TEST_LONG=1 npx vitest run --project server
 * server/src/system/api-examples.long.test.ts`), then print the page (this file with `--update`).
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '@passwordbroker/core/contract/endpoint';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import { VERSION } from '@passwordbroker/core/contract/client';
import type { ApiExample } from './testing/api-examples.ts';
import { apiReference } from './testing/api-reference.ts';

const STORED = new URL('./testing/api-examples.json', import.meta.url);
const examples = JSON.parse(readFileSync(STORED, 'utf8')) as Record<string, ApiExample>;
const ENDPOINTS = Object.entries<Endpoint>(CONTRACT);

/** A server with users refuses recovery, the example's import has no parts; new keys and second factors would break the other examples. */
const REFUSED: Readonly<Record<string, number>> = {
  'backups.recover': 403,
  'ownKeys.rekey': 412,
  'session.factor': 401,
  'session.factorOptions': 401,
  'session.program': 401,
  'passkeys.signIn': 401,
  'credentials.confirmOptions': 404,
  'importParts.storeParts': 409,
  'factors.confirmTotp': 404,
  'factors.makeRecoveryCodes': 409,
  'credentials.removePassword': 409,
  'factors.checkRecoveryCode': 409,
  'factors.reset': 409,
  'sso.begin': 404,
  'sso.callback': 401,
  'sso.backChannelLogout': 404,
  'sso.link': 401,
  'people.setBreakGlass': 409,
  'providers.change': 404,
  'providers.test': 404,
};

test('every call has an example, and every example has a call', () => {
  expect(Object.keys(examples)).toEqual(ENDPOINTS.map(([name]) => name));
});

describe.each(ENDPOINTS)('%s', (name, endpoint) => {
  const example = examples[name];
  if (example === undefined) throw new Error(`${name} has no example`);
  const [path = '', query = ''] = example.path.split('?');

  test('its example matches the request schema', () => {
    expect(example.method).toBe(endpoint.method);
    const names = endpoint.path.split('/');
    const parts = path.split('/');
    expect(parts.map((part, at) => (names[at]?.startsWith(':') === true ? names[at] : part))).toEqual(names);
    const { body } = endpoint;
    const sent = example.json ?? example.form;
    if (body !== undefined && example.status < 300 && example.json !== undefined) {
      const forms = 'schema' in body ? [body.schema] : [body.plain, body.sealed];
      const faults = forms.map((form) => z.safeParse(form, example.json)).filter(({ success }) => !success);
      expect(faults.length, JSON.stringify(faults)).toBeLessThan(forms.length);
    }
    if (body === undefined && endpoint.files === undefined) expect(sent ?? {}).toEqual({});
    if (endpoint.query !== undefined) {
      expect(z.safeParse(endpoint.query, Object.fromEntries(new URLSearchParams(query))).error).toBeUndefined();
    }
  });

  test('its answer matches the contract', () => {
    const isRepeat = example.status === 200 && endpoint.answer.status === 201;
    expect(isRepeat ? 201 : example.status).toBe(REFUSED[name] ?? endpoint.answer.status);
    const { schema } = endpoint.answer;
    if (schema !== undefined && example.status < 400 && example.answer !== undefined)
      expect(z.safeParse(schema, example.answer).error).toBeUndefined();
  });
});

test('docs/api-reference.md is up to date', async () => {
  await expect(apiReference(CONTRACT, VERSION, examples)).toMatchFileSnapshot('../../../docs/api-reference.md');
});
