import { describe, expect, test } from 'vitest';
import { afterDatabaseEvent, type DatabaseEvent } from './switching.ts';
import type { DatabaseMode, SyncMode } from '../offline.ts';
import { afterSyncEvent, type SyncEvent } from './sync-mode.ts';

describe('database mode (docs/spec/product.md §4)', () => {
  test.each<[DatabaseMode, DatabaseEvent, DatabaseMode]>([
    ['online', 'switch to offline', 'switching_to_offline'],
    ['switching_to_offline', 'loaded', 'offline'],
    ['switching_to_offline', 'failed', 'online'],
    ['switching_to_offline', 'switch to online', 'online'],
    ['offline', 'switch to online', 'online'],
    ['online', 'loaded', 'online'],
    ['online', 'failed', 'online'],
    ['offline', 'failed', 'offline'],
    ['offline', 'switch to offline', 'offline'],
  ])('%s, %s → %s', (mode, event, next) => {
    expect(afterDatabaseEvent(mode, event)).toBe(next);
  });
});

describe('sync mode (docs/spec/product.md §4)', () => {
  test.each<[SyncMode, SyncEvent, SyncMode]>([
    ['await', 'checking', 'loading'],
    ['await', 'downloading', 'updating'],
    ['await', 'enabling', 'enable'],
    ['await', 'disabling', 'disable'],
    ['loading', 'downloading', 'updating'],
    ['loading', 'done', 'await'],
    ['updating', 'done', 'await'],
    ['updating', 'checking', 'updating'],
    ['updating', 'failed', 'error'],
    ['updating', 'disabling', 'disable'],
    ['enable', 'done', 'await'],
    ['enable', 'failed', 'error'],
    ['enable', 'downloading', 'enable'],
    ['disable', 'done', 'await'],
    ['error', 'downloading', 'updating'],
    ['error', 'done', 'await'],
    ['error', 'failed', 'error'],
    ['error', 'disabling', 'disable'],
  ])('%s, %s → %s', (mode, event, next) => {
    expect(afterSyncEvent(mode, event)).toBe(next);
  });
});
