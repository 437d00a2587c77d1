/** Adding a field as a table (docs/spec/product.md §4): new → in progress → new; the form starts afresh on success and keeps its content on error. */

export type AddFieldState = 'new' | 'in progress';
export type AddFieldEvent = 'submitted' | 'added' | 'refused';

export const ADD_FIELD_STATES: Readonly<Record<AddFieldState, Partial<Record<AddFieldEvent, AddFieldState>>>> = {
  new: { submitted: 'in progress' },
  'in progress': { added: 'new', refused: 'new' },
};

export function afterAddFieldEvent(state: AddFieldState, event: AddFieldEvent): AddFieldState {
  return ADD_FIELD_STATES[state][event] ?? state;
}
