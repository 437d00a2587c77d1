/**
 * Editing a field as a table (docs/spec/product.md §4): awaiting → editing, once the value is decrypted → in progress → modal to close on
 * success, awaiting on error. What was typed stays after an error, so it can be changed or sent again.
 */

export type EditFieldState = 'awaiting' | 'editing' | 'in progress' | 'modal to close';
export type EditFieldEvent = 'decrypted' | 'changed' | 'submitted' | 'saved' | 'refused';

export const EDIT_FIELD_STATES: Readonly<
  Record<EditFieldState, Readonly<Partial<Record<EditFieldEvent, EditFieldState>>>>
> = {
  awaiting: { decrypted: 'editing', changed: 'editing', submitted: 'in progress' },
  editing: { submitted: 'in progress' },
  'in progress': { saved: 'modal to close', refused: 'awaiting' },
  'modal to close': {},
};

export function afterEditFieldEvent(state: EditFieldState, event: EditFieldEvent): EditFieldState {
  return EDIT_FIELD_STATES[state][event] ?? state;
}
