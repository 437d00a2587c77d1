import { describe, expect, test } from 'vitest';
import type { ImportProgress } from '@passwordbroker/client/vault/vault';
import {
  IMPORT_STATES,
  afterImportEvent,
  isLateToStop,
  isRunning,
  type ImportEvent,
  type ImportState,
} from './import-states.ts';

describe('import states', () => {
  test.each<[ImportState, ImportEvent, ImportState]>([
    ['choosing', 'chosen again', 'detecting'],
    ['detecting', 'recognised', 'choosing'],
    ['detecting', 'asks password', 'needs password'],
    ['detecting', 'asks columns', 'needs columns'],
    ['needs columns', 'submitted', 'reading'],
    ['detecting', 'refused', 'failed'],
    ['detecting', 'submitted', 'reading'],
    ['choosing', 'submitted', 'reading'],
    ['choosing', 'stored', 'choosing'],
    ['choosing', 'confirmed', 'choosing'],
    ['needs password', 'submitted', 'reading'],
    ['reading', 'asks password', 'needs password'],
    ['reading', 'read', 'rehearsed'],
    ['reading', 'refused', 'failed'],
    ['reading', 'cancelled', 'cancelled'],
    ['reading', 'submitted', 'reading'],
    ['reading', 'confirmed', 'reading'],
    ['rehearsed', 'confirmed', 'sealing'],
    ['rehearsed', 'back', 'choosing'],
    ['rehearsed', 'compare', 'comparing'],
    ['comparing', 'compared', 'rehearsed'],
    ['comparing', 'confirmed', 'comparing'],
    ['comparing', 'refused', 'failed'],
    ['failed', 'compare', 'comparing'],
    ['rehearsed', 'stored', 'rehearsed'],
    ['sealing', 'upload began', 'uploading'],
    ['sealing', 'cancelled', 'cancelled'],
    ['uploading', 'sent', 'storing'],
    ['sealing', 'sent', 'storing'],
    ['sealing', 'stored', 'done'],
    ['uploading', 'cancelled', 'cancelled'],
    ['uploading', 'refused', 'failed'],
    ['storing', 'stored', 'done'],
    ['storing', 'cancelled late', 'taking back'],
    ['uploading', 'cancelled late', 'taking back'],
    ['storing', 'lost', 'failed'],
    ['taking back', 'lost', 'failed'],
    ['taking back', 'taken back', 'cancelled'],
    ['taking back', 'refused', 'cancelled'],
    ['taking back', 'cancelled', 'taking back'],
    ['failed', 'submitted', 'reading'],
    ['failed', 'confirmed', 'sealing'],
    ['failed', 'chosen again', 'detecting'],
    ['cancelled', 'submitted', 'reading'],
    ['cancelled', 'confirmed', 'sealing'],
    ['done', 'submitted', 'done'],
  ])('%s, %s: %s', (state, event, next) => {
    expect(afterImportEvent(state, event)).toBe(next);
  });

  test("every running state can be refused, and all but 'taking back' can be cancelled", () => {
    for (const state of Object.keys(IMPORT_STATES) as ImportState[]) {
      if (!isRunning(state)) continue;
      expect(IMPORT_STATES[state]).toHaveProperty('refused');
      if (state !== 'taking back') expect(IMPORT_STATES[state]).toHaveProperty('cancelled late');
    }
  });

  const MB = 1_000_000;
  test.each<[ImportProgress | null, boolean]>([
    [null, false],
    [{ phase: 'reading', done: 5 * MB, total: 5 * MB }, false],
    [{ phase: 'opening', done: 5, total: 5 }, false],
    [{ phase: 'sealing', done: 10, total: 10 }, false],
    [{ phase: 'uploading', done: 0, total: 60 * MB }, false],
    [{ phase: 'uploading', done: 0, total: 10 * MB }, true],
    [{ phase: 'uploading', done: 55 * MB, total: 60 * MB }, true],
    [{ phase: 'storing', done: 60 * MB, total: 60 * MB }, true],
  ])('at %j cancelling may come too late: %s', (progress, isLate) => {
    expect(isLateToStop(progress)).toBe(isLate);
  });
});
