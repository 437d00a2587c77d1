/** States of the second step. The page keeps the ticket; without it the sign-in begins again. */

export type FactorState = 'code' | 'choose' | 'checking' | 'done';

export type FactorEvent = 'another way' | 'method' | 'submit' | 'right' | 'wrong';

const FACTOR_STATES: Readonly<Record<FactorState, Partial<Record<FactorEvent, FactorState>>>> = {
  code: { submit: 'checking', 'another way': 'choose' },
  choose: { method: 'code' },
  checking: { right: 'done', wrong: 'code' },
  done: {},
};

export function afterEvent(state: FactorState, event: FactorEvent): FactorState {
  return FACTOR_STATES[state][event] ?? state;
}
