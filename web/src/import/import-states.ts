/**
 * Early, a cancel stops the request and nothing is stored. Later it waits for the answer and undoes the
 * import.
 */
import type { ImportProgress } from '@passwordbroker/client/vault/vault';

export type ImportState =
  | 'choosing'
  | 'reading'
  | 'sealing'
  | 'uploading'
  | 'storing'
  | 'taking back'
  | 'cancelled'
  | 'failed'
  | 'done';
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
  /** Unknown whether it was stored, or it could not be undone. */
  | 'lost'
  | 'chosen again';

type Exits = Partial<Record<ImportEvent, ImportState>>;

const AT_REST: Exits = { submitted: 'reading', 'chosen again': 'choosing' };
/** A small body may be sent before any progress event, so each state may end at once. */
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
  // An error means that nothing was stored, as wanted.
  'taking back': { 'taken back': 'cancelled', refused: 'cancelled', lost: 'failed' },
  cancelled: AT_REST,
  failed: AT_REST,
  done: {},
};

/** Events that a state does not list change nothing. */
export function afterImportEvent(state: ImportState, event: ImportEvent): ImportState {
  return IMPORT_STATES[state][event] ?? state;
}

export function isRunning(state: ImportState): boolean {
  return 'lost' in IMPORT_STATES[state];
}

/** Bytes. The browser reports progress late: with fewer bytes left, the server may have everything. */
const SURELY_NOT_ARRIVED = 16 * 1024 * 1024;

/** Whether the server may store the import although the request is stopped now. */
export function isLateToStop(progress: ImportProgress | null): boolean {
  if (progress === null || progress.phase === 'reading' || progress.phase === 'sealing') return false;
  return progress.phase === 'storing' || progress.total - progress.done <= SURELY_NOT_ARRIVED;
}
