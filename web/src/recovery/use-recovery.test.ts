import { expect, test } from 'vitest';
import { type RecoveryEvent, type RecoveryState, afterEvent, canStart } from './recover.ts';

const STATES = ['await', 'in_process', 'done', 'error'] as const;

test('only await and error can start', () => {
  expect(STATES.filter(canStart)).toEqual(['await', 'error']);
});

test.each<[RecoveryState, RecoveryEvent, RecoveryState]>([
  ['await', 'start', 'in_process'],
  ['await', 'refused', 'error'],
  ['in_process', 'restored', 'done'],
  ['in_process', 'failed', 'error'],
  ['error', 'start', 'in_process'],
  ['error', 'refused', 'error'],
])('%s, %s: %s', (state, event, next) => {
  expect(afterEvent(state, event)).toBe(next);
});

test.each<[RecoveryState, RecoveryEvent]>([
  ['in_process', 'start'],
  ['in_process', 'refused'],
  ['done', 'start'],
  ['done', 'failed'],
  ['await', 'restored'],
  ['error', 'restored'],
])('%s ignores %s', (state, event) => {
  expect(afterEvent(state, event)).toBe(state);
});
