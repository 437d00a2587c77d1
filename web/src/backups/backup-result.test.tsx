import type { Backup } from '@passwordbroker/core/contract/site/backups';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { BackupResult } from './backup-row.tsx';

afterEach(cleanup);

const CREATED: Backup = {
  backup_id: '0197f1d2-0000-7000-8000-000000000001',
  state: 'created',
  file_name: 'pb_backup_2026_03_02__03_00_00.tar.gz.age',
  size: 48_231,
  sha256: '9f2c'.repeat(16),
  password: null,
  has_password: true,
  error_message: null,
  backup_created: '2026-03-02T03:00:04.112Z',
  backup_deleted: null,
  verified_at: '2026-03-02T03:00:04.112Z',
  created_at: '2026-03-02T03:00:00.000Z',
  updated_at: '2026-03-02T03:00:06.870Z',
  counts: { users: 2, entry_groups: 1, entries: 3, fields: 4, revisions: 5, files: 0 },
  progress: null,
  copy: null,
};
const said = (change: Partial<Backup>) => {
  const { container } = render(<BackupResult backup={{ ...CREATED, ...change }} />);
  return container.textContent;
};

test('running: shows progress, or that it is unknown', () => {
  said({ state: 'creating', progress: 44 });
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('44');
  cleanup();
  said({ state: 'creating', progress: null });
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBeNull();
});

test('finished: shows that it was verified, whether it is encrypted, and counts', () => {
  expect(said({})).toBe('verifiedencrypted2 users, 1 group, 3 entries, 4 fields, 5 revisions, 0 files');
  cleanup();
  expect(said({ has_password: false })).toContain('not encrypted');
});

test('verified again: shows the time', () => {
  expect(said({ verified_at: '2026-03-09T12:00:00.000Z' })).toMatch(/0 filesTest restore 2026\.03\.09 \d\d:00$/);
});

test('damaged at a later verification: not verified, and why', () => {
  const text = said({ verified_at: null, counts: null, error_message: 'The backup is damaged' });
  expect(text).toBe('not verifiedencryptedThe backup is damaged');
});

test('failed: shows the reason, or that none was stored; removed: shows the time', () => {
  expect(said({ state: 'error', error_message: 'No space left' })).toBe('No space left');
  cleanup();
  expect(said({ state: 'error', error_message: null })).toBe('It failed for an unknown reason.');
  cleanup();
  expect(said({ state: 'deleted', backup_deleted: '2026-04-01T03:00:00.000Z' })).toMatch(/^Removed 2026\.0[34]\./);
  cleanup();
  expect(said({ state: 'await' })).toBe('–');
});
