import { describe, expect, test } from 'vitest';
import type { PartState } from '../offline.ts';
import { afterPartEvent, isReady, PACES, type PartEvent } from './parts.ts';

describe('a part of the local copy (docs/spec/product.md §4)', () => {
  test.each<[PartState, PartEvent, PartState]>([
    ['not_loaded', 'found', 'synchronized'],
    ['not_loaded', 'missing', 'download_required'],
    ['not_loaded', 'corrupted', 'download_required'],
    ['not_loaded', 'switching failed', 'download_required'],
    ['download_required', 'saved', 'synchronized'],
    ['download_required', 'unloaded', 'not_loaded'],
    ['synchronized', 'update required', 'download_required'],
    ['synchronized', 'corrupted', 'download_required'],
    ['synchronized', 'switching failed', 'download_required'],
    ['synchronized', 'unloaded', 'not_loaded'],
    // Unexpected events change nothing.
    ['not_loaded', 'saved', 'not_loaded'],
    ['not_loaded', 'update required', 'not_loaded'],
    ['download_required', 'found', 'download_required'],
    ['download_required', 'update required', 'download_required'],
    ['download_required', 'switching failed', 'download_required'],
    ['synchronized', 'found', 'synchronized'],
  ])('%s, %s → %s', (state, event, next) => {
    expect(afterPartEvent(state, event)).toBe(next);
  });

  test('a copy is ready with all three parts, not with two', () => {
    const all = { key: 'synchronized', database: 'synchronized', salt: 'synchronized' } as const;
    expect(isReady(all)).toBe(true);
    for (const part of ['key', 'database', 'salt'] as const) {
      expect(isReady({ ...all, [part]: 'download_required' })).toBe(false);
      expect(isReady({ ...all, [part]: 'not_loaded' })).toBe(false);
    }
  });

  test('the intervals match the specification (docs/spec/product.md §9)', () => {
    expect([PACES.key.check, PACES.database.check, PACES.salt.retry]).toEqual([30_000, 5_000, 5_000]);
  });
});
