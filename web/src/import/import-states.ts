/**
 * Nothing is sent before the person has seen what was read. Early, a cancel stops the request and nothing is
 * stored. Later it waits for the answer and undoes the import.
 */
import type { ImportProgress } from '@passwordbroker/client/vault/vault';

export type ImportState =
  /** The form is shown; the file's kind is known, or there is no file. */
  | 'choosing'
  | 'detecting'
  | 'needs password'
  | 'needs columns'
  | 'reading'
  /** What was read is shown, and nothing has been sent. */
  | 'rehearsed'
  /** Existing groups are looked at for duplicates. */
  | 'comparing'
  | 'sealing'
  | 'uploading'
  | 'storing'
  | 'taking back'
  | 'cancelled'
  | 'failed'
  | 'done';
export type ImportEvent =
  | 'chosen again'
  | 'recognised'
  | 'asks password'
  | 'asks columns'
  | 'submitted'
  | 'read'
  | 'compare'
  | 'compared'
  | 'confirmed'
  | 'back'
  | 'upload began'
  | 'sent'
  | 'stored'
  | 'refused'
  | 'cancelled'
  | 'cancelled late'
  | 'taken back'
  /** Unknown whether it was stored, or it could not be undone. */
  | 'lost';

type Exits = Partial<Record<ImportEvent, ImportState>>;

const AT_REST: Exits = { submitted: 'reading', 'chosen again': 'detecting' };
/** What was read may still be there, so it can be confirmed again. */
const ENDED: Exits = { ...AT_REST, confirmed: 'sealing', compare: 'comparing', back: 'choosing' };
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
  detecting: {
    ...AT_REST,
    recognised: 'choosing',
    'asks password': 'needs password',
    'asks columns': 'needs columns',
    refused: 'failed',
  },
  'needs password': AT_REST,
  'needs columns': AT_REST,
  reading: { ...RUNNING, 'asks password': 'needs password', 'asks columns': 'needs columns', read: 'rehearsed' },
  rehearsed: ENDED,
  comparing: {
    compared: 'rehearsed',
    cancelled: 'rehearsed',
    refused: 'failed',
    back: 'choosing',
    compare: 'comparing',
  },
  sealing: { ...RUNNING, 'upload began': 'uploading' },
  uploading: RUNNING,
  storing: RUNNING,
  // An error means that nothing was stored, as wanted.
  'taking back': { 'taken back': 'cancelled', refused: 'cancelled', lost: 'failed' },
  cancelled: ENDED,
  failed: ENDED,
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

const SENDING: ReadonlySet<ImportProgress['phase']> = new Set(['uploading', 'storing']);

/** Whether the server may store the import although the request is stopped now. */
export function isLateToStop(progress: ImportProgress | null): boolean {
  if (progress === null || !SENDING.has(progress.phase)) return false;
  return progress.phase === 'storing' || progress.total - progress.done <= SURELY_NOT_ARRIVED;
}
