import { expect, test } from 'vitest';
import type { AuditRow, Named } from '@passwordbroker/core/contract/entities';
import { AUDIT_EVENTS } from '@passwordbroker/core/contract/site/audit-events';
import { eventTitle } from '../../texts/admin/audit-events.ts';
import { textOf } from '../../texts/sentence.ts';
import { type FindName, sentenceOf } from './log-names.ts';

const [TOMAS, FIELD, ENTRY, GROUP] = [1, 2, 3, 4].map((n) => `0192a1b2-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
  string,
];
const row = (event_type: string, more: Partial<AuditRow> = {}): AuditRow => ({
  audit_id: FIELD,
  created_at: '2026-03-01T09:30:00.000Z',
  event_type,
  login: 'tomas@example.org',
  user_id: TOMAS,
  target_type: 'field',
  target_id: FIELD,
  address: '192.0.2.7',
  details: null,
  ...more,
});
const place = {
  entry: { entry_id: ENTRY, title: 'Search cluster' },
  entry_group: { entry_group_id: GROUP, name: 'Ops' },
};
const NAMES: readonly Named[] = [
  { id: TOMAS, kind: 'user', title: 'Tomas Lindqvist', entry: null, entry_group: null },
  { id: FIELD, kind: 'field', title: 'Root account', ...place },
  { id: GROUP, kind: 'entry_group', title: 'Ops', entry: null, entry_group: null },
];
const find: FindName = (id) => NAMES.find((named) => named.id === id) ?? null;
const said = (of: AuditRow, by: FindName = find) => textOf(sentenceOf(of, by));

test('a reveal names the person, the entry and the field, and leads to the entry', () => {
  const shown = row('field_revealed', { details: { rev: 3 } });
  expect(said(shown)).toBe('Tomas Lindqvist showed Search cluster › Root account');
  expect(sentenceOf(shown, find)[1]).toEqual(' showed ');
  expect(sentenceOf(shown, find)[2]).toEqual({
    name: 'Search cluster › Root account',
    to: `/entryGroup/${GROUP}?entry=${ENTRY}`,
  });
});

test('what the viewer cannot see is said plainly, and an awaited name is not', () => {
  const none: FindName = () => null;
  expect(said(row('field_revealed'), none)).toBe('tomas@example.org showed a field you cannot see');
  expect(said(row('field_revealed'), () => undefined)).toBe('tomas@example.org showed …');
  const added = { target_type: 'entry_group', target_id: GROUP, details: { user_id: FIELD, role: 'moderator' } };
  expect(said(row('role_granted', added), none)).toBe(
    'tomas@example.org added a removed person to a group you cannot see as moderator',
  );
});

test('details change the sentence', () => {
  const group = { target_type: 'entry_group', target_id: GROUP };
  expect(said(row('group_moved', { ...group, details: { from: GROUP, to: null } }))).toBe(
    'Tomas Lindqvist moved the group Ops to the top level',
  );
  expect(said(row('entries_deleted', { ...group, details: { entry_groups: 0, entries: 2, fields: 9 } }))).toBe(
    'Tomas Lindqvist deleted 2 entries, 9 fields of Ops',
  );
  expect(said(row('purged', { ...group, user_id: null, login: null, address: '' }))).toBe(
    'The server removed Ops for good',
  );
});

test.each(AUDIT_EVENTS)('%s has a name in words and a sentence without gaps', (event) => {
  expect(eventTitle(event)).toMatch(/^[A-Z][a-z]/);
  for (const details of [null, { user_id: TOMAS, from: GROUP, to: GROUP, entries: 2, count: 3, status: true }]) {
    const sentence = said(row(event, { details, target_type: 'entry_group', target_id: GROUP }));
    expect(sentence).toMatch(/^[A-Z]\S*( \S+)+$/);
    expect(sentence).not.toMatch(/undefined|null|_/);
  }
});
