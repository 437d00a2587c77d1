/** The master password's states as a table (docs/spec/product.md §4): state → event → state. */

export type MasterPasswordState = 'not entered' | 'in-entry' | 'entered' | 'validated' | 'incorrect';

export type MasterPasswordEvent =
  /** The modal opens because the icon was clicked or an action needs the keys. */
  | 'opened'
  /** The modal closes without remembering. */
  | 'closed'
  | 'remembered'
  | 'accepted'
  | 'refused'
  /** It could not be tried: no connection, damaged keys. Nobody says that the password was wrong. */
  | 'not tried'
  /** Idle, sleep, logout, another tab, a stopped worker. */
  | 'locked';

type Exits = Partial<Record<MasterPasswordEvent, MasterPasswordState>>;

export const MASTER_PASSWORD_STATES: Readonly<Record<MasterPasswordState, Exits>> = {
  'not entered': { opened: 'in-entry', remembered: 'entered' },
  'in-entry': { closed: 'not entered', remembered: 'entered', locked: 'in-entry' },
  entered: { accepted: 'validated', refused: 'incorrect', 'not tried': 'not entered', locked: 'not entered' },
  validated: { refused: 'incorrect', locked: 'not entered' },
  incorrect: { remembered: 'entered', locked: 'not entered' },
};

/** The state after an event; an event that a state does not know changes nothing. */
export function afterEvent(state: MasterPasswordState, event: MasterPasswordEvent): MasterPasswordState {
  return MASTER_PASSWORD_STATES[state][event] ?? state;
}

/** The icon opens the modal only here. */
export function isClickable(state: MasterPasswordState): boolean {
  return state === 'not entered' || state === 'incorrect';
}
