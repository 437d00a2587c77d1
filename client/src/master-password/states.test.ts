import { describe, expect, test } from 'vitest';
import { MASTER_PASSWORD_TEXTS } from '../texts/master-password.ts';
import {
  MASTER_PASSWORD_STATES,
  afterEvent,
  isClickable,
  type MasterPasswordEvent,
  type MasterPasswordState,
} from './states.ts';

describe('master password (docs/spec/product.md §4)', () => {
  test.each<[MasterPasswordState, MasterPasswordEvent, MasterPasswordState]>([
    ['not entered', 'opened', 'in-entry'],
    ['not entered', 'remembered', 'entered'],
    ['not entered', 'locked', 'not entered'],
    ['not entered', 'refused', 'not entered'],
    ['in-entry', 'closed', 'not entered'],
    ['in-entry', 'remembered', 'entered'],
    ['in-entry', 'locked', 'in-entry'],
    ['entered', 'accepted', 'validated'],
    ['entered', 'refused', 'incorrect'],
    ['entered', 'not tried', 'not entered'],
    ['entered', 'locked', 'not entered'],
    ['entered', 'closed', 'entered'],
    ['validated', 'refused', 'incorrect'],
    ['validated', 'locked', 'not entered'],
    ['validated', 'opened', 'validated'],
    ['incorrect', 'remembered', 'entered'],
    ['incorrect', 'closed', 'incorrect'],
    ['incorrect', 'locked', 'not entered'],
  ])('%s, %s: %s', (state, event, next) => {
    expect(afterEvent(state, event)).toBe(next);
  });

  test.each<[MasterPasswordState, boolean]>([
    ['not entered', true],
    ['in-entry', false],
    ['entered', false],
    ['validated', false],
    ['incorrect', true],
  ])('the icon in %s opens the modal: %s', (state, opens) => {
    expect(isClickable(state)).toBe(opens);
  });

  test('every state has an exit, and the tooltips are spelled as in the specification', () => {
    for (const exits of Object.values(MASTER_PASSWORD_STATES)) expect(Object.keys(exits)).not.toHaveLength(0);
    expect(MASTER_PASSWORD_TEXTS.tooltips).toMatchObject({
      'not entered': 'Master Pasword not entered',
      entered: 'Master Pasword entered',
      incorrect: 'Master Pasword is incorrect',
      validated: 'Master Pasword validated',
    });
  });
});
