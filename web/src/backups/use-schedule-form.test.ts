import type { BackupSettings } from '@passwordbroker/core/contract/site/backups';
import { expect, test } from 'vitest';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { bodyOf, draftOf, isReadable } from './use-schedule-form.ts';

const SETTINGS: BackupSettings = {
  schedule: [3, 15],
  enable: true,
  email_enable: false,
  email: null,
  email_possible: true,
  archive_password: null,
  archive_password_set: true,
  timezone: 'Europe/Berlin',
  keep: 30,
  keep_days: 90,
  updated_at: '2026-03-01T09:40:00.000Z',
};
const draft = draftOf(SETTINGS);

test('sends the loaded settings back, without the archive password', () => {
  const { schedule, enable, email_enable, keep, keep_days } = SETTINGS;
  expect(bodyOf(draft)).toEqual({ schedule, enable, email_enable, email: '', keep, keep_days });
});

test('sends a typed archive password, or an empty one to remove it; a typed one has precedence', () => {
  expect(bodyOf({ ...draft, archivePassword: ' pass phrase ' }).archive_password).toBe(' pass phrase ');
  expect(bodyOf({ ...draft, isPasswordRemoved: true }).archive_password).toBe('');
  expect(bodyOf({ ...draft, isPasswordRemoved: true, archivePassword: 'new' }).archive_password).toBe('new');
});

test('warns while the next archive would not be encrypted', () => {
  expect(isReadable(draft, true)).toBe(false);
  expect(isReadable(draft, false)).toBe(true);
  expect(isReadable({ ...draft, isPasswordRemoved: true }, true)).toBe(true);
  expect(isReadable({ ...draft, archivePassword: 'x' }, false)).toBe(false);
});

test('appends the sentence of the specification to an error, with one full stop between', () => {
  expect(TEXTS.notSaved('Please enter a valid email address.')).toBe(
    'Please enter a valid email address. Try again, please.',
  );
  expect(TEXTS.notSaved('Failed to fetch')).toBe('Failed to fetch. Try again, please.');
});

test('shows hours as HH:00', () => {
  expect([0, 9, 23].map(TEXTS.hour)).toEqual(['00:00', '09:00', '23:00']);
});
