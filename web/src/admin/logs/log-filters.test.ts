import { expect, test } from 'vitest';
import { NO_FILTERS, asEvent, queryOf } from './log-filters.tsx';

test('no filter sends no parameters', () => {
  expect(queryOf(NO_FILTERS)).toEqual({});
});

test('days count from their first moment in local time to their last', () => {
  const { from, to } = queryOf({ ...NO_FILTERS, from: '2026-03-01', to: '2026-03-01' });
  expect(from).toBe(new Date(2026, 2, 1).toISOString());
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 60 * 60 * 1000);
  // The last day of a month ends at the start of the next one.
  expect(queryOf({ ...NO_FILTERS, to: '2026-02-28' })).toEqual({ to: new Date(2026, 2, 1).toISOString() });
});

test('sends each filter under its parameter name', () => {
  const targetId = '01900000-0000-7000-8000-000000000001';
  const person = { id: targetId, name: 'Ada' };
  expect(queryOf({ ...NO_FILTERS, q: 'ada', event: 'login_failed', targetId, person })).toEqual({
    q: 'ada',
    event_type: 'login_failed',
    target_id: targetId,
    user_id: targetId,
  });
  expect([asEvent('login'), asEvent('no such event')]).toEqual(['login', '']);
});
