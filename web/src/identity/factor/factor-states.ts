/** States of the second step. The page keeps the ticket; without it the sign-in begins again. */

/** `form`: of the chosen method. */
export type FactorState = 'form' | 'choose' | 'checking' | 'done';

export type FactorEvent = 'another way' | 'method' | 'submit' | 'right' | 'wrong';

const FACTOR_STATES: Readonly<Record<FactorState, Partial<Record<FactorEvent, FactorState>>>> = {
  form: { submit: 'checking', 'another way': 'choose' },
  choose: { method: 'form' },
  checking: { right: 'done', wrong: 'form' },
  done: {},
};

export function afterEvent(state: FactorState, event: FactorEvent): FactorState {
  return FACTOR_STATES[state][event] ?? state;
}
