import { expect, test } from 'vitest';
import { afterEditFieldEvent, EDIT_FIELD_STATES, type EditFieldEvent, type EditFieldState } from './use-edit-field.ts';

const walk = (...events: readonly EditFieldEvent[]) => events.reduce(afterEditFieldEvent, 'awaiting' as EditFieldState);

test('awaiting → editing after the value is decrypted → in progress → modal to close', () => {
  expect(walk('decrypted')).toBe('editing');
  expect(walk('decrypted', 'submitted')).toBe('in progress');
  expect(walk('decrypted', 'submitted', 'saved')).toBe('modal to close');
});

test('an error returns to awaiting, where the input can be changed or sent again', () => {
  expect(walk('decrypted', 'submitted', 'refused')).toBe('awaiting');
  expect(walk('decrypted', 'submitted', 'refused', 'changed')).toBe('editing');
  expect(walk('decrypted', 'submitted', 'refused', 'submitted')).toBe('in progress');
});

test('events that are not in the table change nothing', () => {
  const events: readonly EditFieldEvent[] = ['decrypted', 'changed', 'submitted', 'saved', 'refused'];
  for (const [state, ways] of Object.entries(EDIT_FIELD_STATES)) {
    for (const event of events) {
      expect(afterEditFieldEvent(state as EditFieldState, event)).toBe(ways[event] ?? state);
    }
  }
});
