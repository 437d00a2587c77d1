import { expect, test } from 'vitest';
import { formerOwners, marksOf } from './service-states.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const at = (days: number) => new Date(NOW + days * 24 * 60 * 60 * 1000).toISOString();
const owner = { user_id: 'ada', name: 'ada' };

function textsOf(
  credentials: readonly { readonly made: number; readonly used?: number; readonly ends: number }[],
  more: Partial<Parameters<typeof marksOf>[0]> = {},
) {
  const account = {
    owner,
    disabled: false,
    credential_due: false,
    credentials: credentials.map(({ made, used, ends }) => ({
      slot_id: `${made}`,
      created_at: at(made),
      expires_at: at(ends),
      last_used_at: used === undefined ? null : at(used),
      last_address: null,
    })),
    ...more,
  };
  return marksOf(account, NOW).map(({ text }) => text);
}

test.each([
  [[{ made: -10, used: -1, ends: 80 }], ['in use']],
  [[{ made: -10, ends: 80 }], ['not used yet']],
  [[{ made: -40, ends: 50 }], ['unused for 40 days']],
  [[{ made: -80, used: -30, ends: 50 }], ['unused for 30 days']],
  [[{ made: -80, used: -29.5, ends: 50 }], ['in use']],
  [[{ made: -80, used: -1, ends: 13.9 }], ['ends in 13 days']],
  [[{ made: -80, used: -1, ends: 14 }], ['in use']],
  [[{ made: -80, used: -1, ends: 1.5 }], ['ends in 1 day']],
  [[{ made: -80, used: -1, ends: 0.5 }], ['ends today']],
  [
    [
      { made: -1, ends: 89 },
      { made: -80, used: -2, ends: 1 },
    ],
    ['in use'],
  ],
  [[], ['ended']],
] as const)('%j is %j', (credentials, texts) => {
  expect(textsOf(credentials)).toEqual(texts);
});

test('a disabled account, and one whose owner left, say so', () => {
  const used = [{ made: -10, used: -1, ends: 80 }];
  expect(textsOf(used, { disabled: true })).toEqual(['disabled']);
  expect(textsOf(used, { owner: null, credential_due: true })).toEqual(['in use', 'no owner']);
  expect(textsOf([], { owner: null, credential_due: true })).toEqual(['ended', 'no owner']);
  expect(textsOf(used, { credential_due: true })).toEqual(['in use', 'credential of a former owner']);
});

test('owners who left are counted by name', () => {
  const left = (name: string) => ({ owner: null, former_owner: name });
  expect(formerOwners([left('bob'), { owner, former_owner: null }, left('eve'), left('bob')])).toEqual([
    { name: 'bob', count: 2 },
    { name: 'eve', count: 1 },
  ]);
  expect(formerOwners([{ owner, former_owner: null }])).toEqual([]);
});
