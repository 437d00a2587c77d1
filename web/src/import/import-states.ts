/**
 * One import as a table (state → event → state). As long as much of the body is still here, a cancel simply stops: the server stores nothing
 * of a body that did not arrive whole. Later the server may have stored it already, so a cancel waits for the answer and takes it back.
 */
import type { ImportProgress } from '../vault/vault.ts';

export type ImportState =
  'choosing' | 'reading' | 'sealing' | 'uploading' | 'storing' | 'taking back' | 'cancelled' | 'failed' | 'done';
export type ImportEvent =
  | 'submitted'
  | 'sealing began'
  | 'upload began'
  | 'sent'
  | 'stored'
  | 'refused'
  | 'cancelled'
  | 'cancelled late'
  | 'taken back'
  /** Nobody can tell whether it was stored, or it could not be taken back. */
  | 'lost'
  | 'chosen again';

type Exits = Partial<Record<ImportEvent, ImportState>>;

const AT_REST: Exits = { submitted: 'reading', 'chosen again': 'choosing' };
/** A small body is sent before anybody could tell how far it is, so each of these may end at once. */
const RUNNING: Exits = {
  refused: 'failed',
  lost: 'failed',
  cancelled: 'cancelled',
  'cancelled late': 'taking back',
  sent: 'storing',
  stored: 'done',
};

export const IMPORT_STATES: Readonly<Record<ImportState, Exits>> = {
  choosing: AT_REST,
  reading: { ...RUNNING, 'sealing began': 'sealing', 'upload began': 'uploading' },
  sealing: { ...RUNNING, 'upload began': 'uploading' },
  uploading: RUNNING,
  storing: RUNNING,
  // A refusal while taking back means that nothing was stored, which is what was wanted.
  'taking back': { 'taken back': 'cancelled', refused: 'cancelled', lost: 'failed' },
  cancelled: AT_REST,
  failed: AT_REST,
  done: {},
};

/** The state after an event; an event that a state does not know changes nothing. */
export function afterImportEvent(state: ImportState, event: ImportEvent): ImportState {
  return IMPORT_STATES[state][event] ?? state;
}

export function isRunning(state: ImportState): boolean {
  return 'lost' in IMPORT_STATES[state];
}

/** The browser counts what it has handed on, some milliseconds late: with fewer bytes left than this, all may be there already. */
const SURELY_NOT_ARRIVED = 16 * 1024 * 1024;

/** Whether stopping the call here could leave an import behind on the server. */
export function isLateToStop(progress: ImportProgress | null): boolean {
  if (progress === null || progress.phase === 'reading' || progress.phase === 'sealing') return false;
  return progress.phase === 'storing' || progress.total - progress.done <= SURELY_NOT_ARRIVED;
}
