import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { login, logout, me } from '@passwordbroker/core/contract/account/session';
import { LOGIN, LOGOUT, ME } from '@passwordbroker/core/contract/account/session-calls';
import { readDescribed } from '../transport/answers.ts';
import type { Read } from '../transport/read-json.ts';
import { readCaller, readLoggedOut, readSignedIn } from './session-answers.ts';

const USER = {
  user_id: 'u1',
  name: 'Mira',
  email: 'mira@example.org',
  is_admin: true,
  has_keys: true,
  must_rekey: false,
  mp_exposed_at: null,
  server_crypto_opt_out: false,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const PROBLEM = z.object({
  message: z.string(),
  code: z.optional(z.string()),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  details: z.optional(z.record(z.string(), z.unknown())),
  request_id: z.optional(z.string()),
});

interface Pair {
  readonly name: string;
  readonly schema: z.core.$ZodType;
  readonly read: Read<unknown>;
  readonly valid: readonly object[];
}
const PAIRS: readonly Pair[] = [
  {
    name: 'the current user',
    schema: me.answer.schema,
    read: readCaller,
    valid: [
      { message: 'guest', user: null, session_id: null },
      { message: 'loggedIn', user: { ...USER, disabled: true, mp_exposed_at: 'then' }, session_id: 's' },
      {
        message: 'loggedIn',
        user: { ...USER, factor_state: 'reset', factor_due_at: 'then' },
        session_id: 's',
        restriction: 'second factor',
      },
      {
        message: 'loggedIn',
        user: USER,
        session_id: 's',
        restriction: 'link',
        ways: { password: true, providers: [{ provider_id: 'acme', name: 'Acme' }] },
      },
    ],
  },
  {
    name: 'a sign-in',
    schema: login.answer.schema,
    read: readSignedIn,
    valid: [
      { message: 'ok', user: USER },
      { message: 'ok', user: USER, token: 't', token_id: 'i', expires_at: 'e' },
    ],
  },
  { name: 'a logout', schema: logout.answer.schema, read: readLoggedOut, valid: [{ message: 'bye' }] },
  {
    name: 'a refusal',
    schema: PROBLEM,
    read: readDescribed,
    valid: [
      { message: 'no' },
      { message: 'no', code: 'validation', errors: { email: ['a', 'b'] }, details: { a: [1] }, request_id: 'r' },
    ],
  },
];

/** The value after a round trip through JSON, as a server can send it. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');
const bySchema = (schema: z.core.$ZodType, value: unknown) => {
  const read = z.safeParse(schema, value);
  return read.success ? { value: read.data } : null;
};
const byHand = (read: Read<unknown>, value: unknown) => {
  try {
    return { value: read(value) };
  } catch {
    return null;
  }
};

/** A valid answer with some members, at any depth, replaced, removed, or added. */
const changed = (valid: object, changes: readonly (readonly [number, unknown])[]): unknown => {
  const copy = sent(valid);
  for (const [at, value] of changes) {
    const places: [Record<string, unknown>, string][] = [];
    const walk = (node: unknown) => {
      if (typeof node !== 'object' || node === null) return;
      for (const name of Object.keys(node)) {
        places.push([node as Record<string, unknown>, name]);
        walk((node as Record<string, unknown>)[name]);
      }
      places.push([node as Record<string, unknown>, 'added']);
    };
    walk(copy);
    const place = places[at % places.length];
    if (place === undefined) continue;
    if (value === 'missing') delete place[0][place[1]];
    else place[0][place[1]] = sent(value);
  }
  return copy;
};
const other = fc.oneof(
  fc.constantFrom('missing', null, '', '1', 'guest', true, false, 0, [], {}, ['x'], { user_id: 'u' }, [[]]),
  fc.jsonValue({ maxDepth: 2 }),
);

describe.each(PAIRS)('$name', ({ schema, read, valid }) => {
  test('a valid answer is read as in the contract', () => {
    for (const answer of valid) {
      expect(byHand(read, { ...answer, added: 1 })).toEqual({ value: answer });
      expect(bySchema(schema, { ...answer, added: 1 })).toEqual({ value: answer });
    }
  });

  test('an answer is refused or read exactly as by the schema', () => {
    const answer = fc
      .tuple(fc.constantFrom(...valid), fc.array(fc.tuple(fc.nat(), other), { minLength: 1, maxLength: 2 }))
      .map(([whole, changes]) => changed(whole, changes));
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: answer }, { weight: 1, arbitrary: fc.jsonValue() }), (value) => {
        expect(byHand(read, sent(value))).toEqual(bySchema(schema, sent(value)));
      }),
      { numRuns: 600 },
    );
  });
});

test('the calls match the contract', () => {
  for (const [head, whole] of [
    [ME, me],
    [LOGIN, login],
    [LOGOUT, logout],
  ] as const) {
    expect(whole).toMatchObject(head);
  }
});

test("is_admin is true for `true` and the text '1' only (docs/spec/product.md §3)", () => {
  const isAdmin = (is_admin: unknown) => byHand(readSignedIn, { message: 'ok', user: { ...USER, is_admin } });
  for (const told of [true, '1']) expect(isAdmin(told)).toMatchObject({ value: { user: { is_admin: true } } });
  expect(isAdmin(false)).toMatchObject({ value: { user: { is_admin: false } } });
  for (const other of ['0', '', 'true', 1, null]) expect(isAdmin(other)).toBeNull();
});
