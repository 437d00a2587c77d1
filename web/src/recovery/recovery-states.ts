/** The recovery as a table (docs/spec/product.md §4): await → in_process → done or error; only await and error can start. */

export type RecoveryState = 'await' | 'in_process' | 'done' | 'error';

export type RecoveryEvent =
  /** With a file. */
  | 'start'
  /** Without what is needed: nothing is sent. */
  | 'refused'
  | 'restored'
  | 'failed';

type Exits = Partial<Record<RecoveryEvent, RecoveryState>>;

const CAN_START: Exits = { start: 'in_process', refused: 'error' };

const RECOVERY_STATES: Readonly<Record<RecoveryState, Exits>> = {
  await: CAN_START,
  in_process: { restored: 'done', failed: 'error' },
  done: {},
  error: CAN_START,
};

/** An event that a state does not know changes nothing: a second start while one runs is none. */
export function afterEvent(state: RecoveryState, event: RecoveryEvent): RecoveryState {
  return RECOVERY_STATES[state][event] ?? state;
}

export const canStart = (state: RecoveryState): boolean => RECOVERY_STATES[state].start !== undefined;
