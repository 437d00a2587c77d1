/** States of the sign-up form (docs/spec/product.md §4). */

export type SignUpState =
  'await' | 'validating' | 'validation_returned_warnings' | 'validation_returned_errors' | 'in_process';

export type SignUpEvent = 'submit' | 'clean' | 'warnings' | 'errors' | 'continue' | 'edit' | 'refused';

type Exits = Partial<Record<SignUpEvent, SignUpState>>;

const SIGN_UP_STATES: Readonly<Record<SignUpState, Exits>> = {
  await: { submit: 'validating' },
  validating: { clean: 'in_process', warnings: 'validation_returned_warnings', errors: 'validation_returned_errors' },
  validation_returned_warnings: { continue: 'in_process', edit: 'await', submit: 'validating' },
  validation_returned_errors: { edit: 'await', submit: 'validating' },
  in_process: { refused: 'validation_returned_errors' },
};

/** Events that a state does not list, such as a second submit, change nothing. */
export function afterEvent(state: SignUpState, event: SignUpEvent): SignUpState {
  return SIGN_UP_STATES[state][event] ?? state;
}
