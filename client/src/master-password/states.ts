/** States of the master password (docs/spec/product.md §4). */

export type MasterPasswordState = 'not entered' | 'in-entry' | 'entered' | 'validated' | 'incorrect';

export type MasterPasswordEvent =
  | 'opened'
  | 'closed'
  | 'remembered'
  | 'accepted'
  | 'refused'
  /** Says nothing about the password. */
  | 'not tried'
  | 'locked';

type Exits = Partial<Record<MasterPasswordEvent, MasterPasswordState>>;

export const MASTER_PASSWORD_STATES: Readonly<Record<MasterPasswordState, Exits>> = {
  'not entered': { opened: 'in-entry', remembered: 'entered' },
  'in-entry': { closed: 'not entered', remembered: 'entered', locked: 'in-entry' },
  entered: { accepted: 'validated', refused: 'incorrect', 'not tried': 'not entered', locked: 'not entered' },
  validated: { refused: 'incorrect', locked: 'not entered' },
  incorrect: { remembered: 'entered', locked: 'not entered' },
};

export function afterEvent(state: MasterPasswordState, event: MasterPasswordEvent): MasterPasswordState {
  return MASTER_PASSWORD_STATES[state][event] ?? state;
}

export function isClickable(state: MasterPasswordState): boolean {
  return state === 'not entered' || state === 'incorrect';
}
