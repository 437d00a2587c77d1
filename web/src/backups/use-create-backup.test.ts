import { expect, test } from 'vitest';
import { type CreateBackupEvent, type CreateBackupState, afterEvent } from './backup-section.tsx';

const through = (events: readonly CreateBackupEvent[], from: CreateBackupState = 'idle') =>
  events.reduce<CreateBackupState[]>((states, event) => [...states, afterEvent(states.at(-1) ?? from, event)], []);

test('waits after a press, sends the request, and shows the result for a while', () => {
  expect(through(['press', 'waited', 'accepted', 'read'])).toEqual(['waiting', 'requesting', 'sent', 'idle']);
});

test('can be retried after a failure', () => {
  expect(through(['press', 'waited', 'refused', 'read', 'press'])).toEqual([
    'waiting',
    'requesting',
    'failed',
    'failed',
    'waiting',
  ]);
});

test.each(['waiting', 'requesting', 'sent'] as const)('ignores a press while %s', (state) => {
  expect(afterEvent(state, 'press')).toBe(state);
});

test.each<[CreateBackupState, CreateBackupEvent]>([
  ['idle', 'waited'],
  ['idle', 'accepted'],
  ['waiting', 'accepted'],
  ['waiting', 'refused'],
  ['sent', 'refused'],
  ['failed', 'accepted'],
])('%s ignores %s', (state, event) => {
  expect(afterEvent(state, event)).toBe(state);
});
