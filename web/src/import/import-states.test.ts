import { describe, expect, test } from 'vitest';
import { IMPORT_STATES, afterImportEvent, isRunning, type ImportEvent, type ImportState } from './import-states.ts';

describe('import states', () => {
  test.each<[ImportState, ImportEvent, ImportState]>([
    ['choosing', 'submitted', 'reading'],
    ['choosing', 'stored', 'choosing'],
    ['reading', 'sealing began', 'sealing'],
    ['reading', 'refused', 'failed'],
    ['reading', 'cancelled', 'cancelled'],
    ['reading', 'submitted', 'reading'],
    ['sealing', 'upload began', 'uploading'],
    ['sealing', 'cancelled', 'cancelled'],
    ['uploading', 'sent', 'storing'],
    ['uploading', 'cancelled', 'cancelled'],
    ['uploading', 'refused', 'failed'],
    ['storing', 'stored', 'done'],
    ['storing', 'cancelled', 'taking back'],
    ['taking back', 'taken back', 'cancelled'],
    ['taking back', 'refused', 'cancelled'],
    ['taking back', 'cancelled', 'taking back'],
    ['failed', 'submitted', 'reading'],
    ['failed', 'chosen again', 'choosing'],
    ['cancelled', 'submitted', 'reading'],
    ['done', 'submitted', 'done'],
  ])('%s, %s: %s', (state, event, next) => {
    expect(afterImportEvent(state, event)).toBe(next);
  });

  test('what runs can be refused, and everything but taking back can be cancelled', () => {
    for (const state of Object.keys(IMPORT_STATES) as ImportState[]) {
      if (!isRunning(state)) continue;
      expect(IMPORT_STATES[state]).toHaveProperty('refused');
      if (state !== 'taking back') expect(IMPORT_STATES[state]).toHaveProperty('cancelled');
    }
  });
});
