/** What passes beside the schema is exactly what the schema would have answered. */
import fc from 'fast-check';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { ImportField } from '@passwordbroker/core/contract/entries/import';
import { areUsualFields } from './usual-fields.ts';

const sealed = fc.uint8Array({ minLength: 3, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const revision = fc.record(
  {
    rev: fc.integer({ min: 1, max: 3 }),
    crypto_profile: fc.constant('pb1'),
    gk_version: fc.constant(1),
    cek_wrapped: sealed,
    value_encrypted: sealed,
    initialization_vector: sealed,
    created_at: fc.constant('2024-03-01T09:00:00.000Z'),
  },
  { requiredKeys: ['rev', 'crypto_profile', 'gk_version', 'cek_wrapped', 'value_encrypted', 'initialization_vector'] },
);
const field = fc.record(
  {
    field_id: fc.uuid(),
    entry_id: fc.uuid(),
    type: fc.constantFrom('password', 'link', 'note', 'file', 'TOTP'),
    revisions: fc.array(revision, { minLength: 1, maxLength: 2 }),
    title: fc.string({ unit: 'binary' }),
    login: fc.string({ unit: 'binary' }),
  },
  { requiredKeys: ['field_id', 'entry_id', 'type', 'revisions'] },
);

const MEMBERS = ['field_id', 'entry_id', 'type', 'title', 'login', 'revisions', 'file_size', 'unknown'] as const;
const OF_A_REVISION = [
  'rev',
  'crypto_profile',
  'gk_version',
  'created_at',
  'title',
  'totp_timeout',
  'unknown',
] as const;
const odd = fc.constantFrom<unknown>(
  null,
  '',
  ' x ',
  '\0',
  '\ud800',
  'x'.repeat(41),
  'x'.repeat(256),
  0,
  1.5,
  '7',
  1e10,
  [],
  {},
);
/** Something else in a member's place. */
const oddity = fc.record({
  member: fc.constantFrom(...MEMBERS),
  deep: fc.constantFrom(...OF_A_REVISION),
  isDeep: fc.boolean(),
  value: odd,
});

test('whatever is usual comes out of the schema as it is', () => {
  const found = { usual: 0, odd: 0 };
  fc.assert(
    fc.property(field, fc.option(oddity), (made, change) => {
      const { revisions } = made;
      const deep =
        change?.isDeep === true
          ? { revisions: [...revisions.slice(1), { ...revisions[0], [change.deep]: change.value }] }
          : {};
      const fields = [
        made,
        { ...made, ...deep, ...(change?.isDeep === false ? { [change.member]: change.value } : {}) },
      ];
      if (!areUsualFields(fields)) {
        found.odd += 1;
        return;
      }
      found.usual += 1;
      expect(z.safeParse(z.array(ImportField), fields)).toEqual({ success: true, data: fields });
    }),
    { numRuns: 2000 },
  );
  expect([found.usual > 100, found.odd > 100]).toEqual([true, true]);
});

const plain = {
  field_id: '0190a0b0-0000-7000-8000-000000000001',
  entry_id: '0190a0b0-0000-7000-8000-000000000002',
  type: 'password',
  title: 'Password',
  login: 'ada',
  revisions: [
    {
      rev: 1,
      crypto_profile: 'pb1',
      gk_version: 1,
      cek_wrapped: 'AAAA',
      value_encrypted: 'AAAA',
      initialization_vector: 'AAAA',
    },
  ],
};

test('what our own client writes is usual', () => {
  expect(areUsualFields([plain, plain])).toBe(true);
});

test.each<[string, unknown]>([
  ['no list', { 0: plain }],
  ['no object', [plain, null]],
  ['a list in its place', [[]]],
  ['a forbidden name', JSON.parse(`[{"__proto__":{},${JSON.stringify(plain).slice(1)}]`)],
  ['the name of something that every object has', [{ ...plain, toString: 'x' }]],
  ['a member that nobody knows', [{ ...plain, colour: 'red' }]],
  ['capital letters in an id', [{ ...plain, field_id: plain.field_id.toUpperCase() }]],
  ['a title with blanks around', [{ ...plain, title: ' Password' }]],
  ['a number as text', [{ ...plain, revisions: [{ ...plain.revisions[0], rev: '1' }] }]],
  ['no revisions', [{ ...plain, revisions: [] }]],
  ['a member less', [{ ...plain, entry_id: undefined }]],
])('%s is for the schema to judge', (_, fields) => {
  expect(areUsualFields(fields)).toBe(false);
});
