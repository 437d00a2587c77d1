import { expect, test } from 'vitest';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { HISTORY_EVENTS } from '@passwordbroker/core/contract/entities';
import { PURPOSES, VIAS } from '@passwordbroker/core/contract/faces';
import { actionOf, actorOf } from './opened.ts';

const ROW: FieldHistory = {
  field_edit_log_id: '',
  field_id: '',
  event_type: 'decrypted',
  rev: 1,
  has_value: false,
  title: '',
  login: null,
  user: { user_id: '', name: 'Ada' },
  created_at: '',
};
const line = (row: Partial<FieldHistory>) => {
  const whole = { ...ROW, ...row };
  return `${actorOf(whole, 'removed user')}: ${actionOf(whole)}`;
};

test('a row says who, with which program, and what for', () => {
  const service = { user_id: '', name: 'deploy', kind: 'service' } as const;
  expect(line({ purpose: 'fill', via: 'extension' })).toBe('Ada, browser extension: filled');
  expect(line({ user: service, purpose: 'run', label: 'release 41', via: 'cli' })).toBe(
    'deploy (service), command line: run “release 41”',
  );
  expect(line({ user: service, purpose: 'show', via: 'service' })).toBe('deploy (service), other program: shown');
  expect(line({ user: null, purpose: 'copy', via: 'web' })).toBe('removed user: copied');
  expect(line({ purpose: 'run', via: 'api' })).toBe('Ada, other program: run “…”');
  expect(line({ purpose: 'export', label: 'kdbx', via: 'web' })).toBe('Ada: exported as kdbx');
  expect(line({})).toBe('Ada: shown');
});

test('every event, purpose and program has words of its own', () => {
  const actions = HISTORY_EVENTS.map((event_type) => actionOf({ ...ROW, event_type }));
  const opened = PURPOSES.filter((purpose) => purpose !== 'show').map((purpose) => actionOf({ ...ROW, purpose }));
  expect(new Set([...actions, ...opened]).size).toBe(HISTORY_EVENTS.length + PURPOSES.length - 1);
  // A service account without a program is marked by its name.
  expect(new Set(VIAS.map((via) => actorOf({ ...ROW, via }, ''))).size).toBe(VIAS.length - 1);
});
