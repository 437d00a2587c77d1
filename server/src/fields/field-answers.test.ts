import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { asField } from './field-answers.ts';
import type { ShownField } from './field-repository.ts';

const rowOf = (at: number): ShownField => ({
  field_id: `field ${at}`,
  entry_id: `entry ${at}`,
  type: 'password',
  title: `Title ${at}`,
  login: `login ${at}`,
  totp_hash_algorithm: null,
  totp_timeout: null,
  file_name: null,
  file_mime: null,
  file_size: null,
  rev: 1,
  created_at: 1_760_000_000_000 + at,
  updated_at: 1_760_000_000_000 + at,
  created_by: 'user',
  updated_by: 'user',
  gk_version: 1,
  creator_name: 'ada',
  updater_name: 'ada',
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Megabytes in use after a full garbage collection. */
function lasting(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

test('shows a field of each kind with its own members, and null for a deleted account', () => {
  const shown = asField({ ...rowOf(1), creator_name: null });
  expect(shown).toEqual({
    field_id: 'field 1',
    entry_id: 'entry 1',
    type: 'password',
    title: 'Title 1',
    login: 'login 1',
    rev: 1,
    gk_version: 1,
    crypto_profile: 'pb1',
    created_by: null,
    updated_by: { user_id: 'user', name: 'ada' },
    created_at: '2025-10-09T08:53:20.001Z',
    updated_at: '2025-10-09T08:53:20.001Z',
  });
  const file = { ...rowOf(2), type: 'file' as const, file_name: 'a.p12', file_mime: 'application/x', file_size: 7 };
  expect(asField(file)).toMatchObject({ type: 'file', file_name: 'a.p12', file_mime: 'application/x', file_size: 7 });
});

/** Returns the number of characters sent. */
function send(count: number): number {
  let length = 0;
  for (let at = 0; at < count; at += 1) length += JSON.stringify(asField(rowOf(at))).length;
  return length;
}

test('keeps no memory: 60,000 responses are freed after they are sent', () => {
  // Other tests leave young objects that may become old in one round; a leak of `send` shows in
  // every round.
  const grown = Array.from({ length: 5 }, () => {
    const before = lasting();
    expect(send(60_000)).toBeGreaterThan(60_000 * 300);
    return lasting() - before;
  });
  expect(Math.min(...grown)).toBeLessThan(5);
});
