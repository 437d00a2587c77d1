/**
 * One import as a table (state → event → state). Until everything is sent, a cancel simply stops: the server stores nothing of a body that
 * did not arrive whole. Once everything is sent the server may already have stored it, so a cancel waits for the answer and takes it back.
 */

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
  | 'taken back'
  | 'chosen again';

type Exits = Partial<Record<ImportEvent, ImportState>>;

const RUNNING: Exits = { refused: 'failed', cancelled: 'cancelled' };
const AT_REST: Exits = { submitted: 'reading', 'chosen again': 'choosing' };

export const IMPORT_STATES: Readonly<Record<ImportState, Exits>> = {
  choosing: AT_REST,
  reading: { ...RUNNING, 'sealing began': 'sealing', 'upload began': 'uploading' },
  sealing: { ...RUNNING, 'upload began': 'uploading' },
  uploading: { ...RUNNING, sent: 'storing', stored: 'done' },
  storing: { stored: 'done', refused: 'failed', cancelled: 'taking back' },
  // A refusal while taking back means that nothing was stored, which is what was wanted.
  'taking back': { 'taken back': 'cancelled', refused: 'cancelled' },
  cancelled: AT_REST,
  failed: AT_REST,
  done: {},
};

/** The state after an event; an event that a state does not know changes nothing. */
export function afterImportEvent(state: ImportState, event: ImportEvent): ImportState {
  return IMPORT_STATES[state][event] ?? state;
}

export function isRunning(state: ImportState): boolean {
  return (
    state === 'reading' ||
    state === 'sealing' ||
    state === 'uploading' ||
    state === 'storing' ||
    state === 'taking back'
  );
}
