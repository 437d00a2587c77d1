import { expect, test } from 'vitest';
import { type SignUpEvent, type SignUpState, afterEvent } from '../passwords/use-judged-form.ts';

test.each<[SignUpState, SignUpEvent, SignUpState]>([
  ['await', 'submit', 'validating'],
  ['validating', 'clean', 'in_process'],
  ['validating', 'warnings', 'validation_returned_warnings'],
  ['validating', 'errors', 'validation_returned_errors'],
  ['validation_returned_warnings', 'continue', 'in_process'],
  ['validation_returned_warnings', 'edit', 'await'],
  ['validation_returned_warnings', 'submit', 'validating'],
  ['validation_returned_errors', 'edit', 'await'],
  ['validation_returned_errors', 'submit', 'validating'],
  ['validation_returned_errors', 'continue', 'validation_returned_errors'],
  ['in_process', 'refused', 'validation_returned_errors'],
  ['in_process', 'submit', 'in_process'],
  ['validating', 'submit', 'validating'],
])('%s, %s → %s', (state, event, next) => {
  expect(afterEvent(state, event)).toBe(next);
});
