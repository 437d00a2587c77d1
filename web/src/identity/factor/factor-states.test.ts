import { expect, test } from 'vitest';
import { afterEvent, type FactorEvent, type FactorState } from './factor-states.ts';

test.each<[FactorState, FactorEvent, FactorState]>([
  ['form', 'submit', 'checking'],
  ['form', 'another way', 'choose'],
  ['choose', 'method', 'form'],
  ['choose', 'submit', 'choose'],
  ['checking', 'right', 'done'],
  ['checking', 'wrong', 'form'],
  // A double press and a late answer change nothing.
  ['checking', 'submit', 'checking'],
  ['checking', 'another way', 'checking'],
  ['done', 'wrong', 'done'],
])('%s, %s → %s', (state, event, next) => {
  expect(afterEvent(state, event)).toBe(next);
});
