import { describe, expect, test } from 'vitest';
import { GROUP_ACTIONS, type GroupAction, type TreeRole, can } from './policy.ts';

/** Permissions written out: rows of docs/spec/product.md §6 and docs/spec/api.md §4. */
const TABLE: Readonly<Record<GroupAction, readonly TreeRole[]>> = {
  'group.read': ['admin', 'moderator', 'member'],
  'group.create-child': ['admin', 'moderator'],
  'group.rename': ['admin'],
  'group.move': ['admin'],
  'group.delete': ['admin'],
  'group.rotate': ['admin'],
  'members.write': ['admin'],
  'templates.write': ['admin'],
  'entry.write': ['admin', 'moderator'],
  'field.write': ['admin', 'moderator'],
  'field.reveal': ['admin', 'moderator', 'member'],
  'trash.read': ['admin', 'moderator'],
  'reveals.read': ['admin', 'moderator'],
};
const EVERYBODY: readonly (TreeRole | null)[] = ['admin', 'moderator', 'member', 'guest', null];

describe('the permissions of a role', () => {
  test('the table contains every action', () => {
    expect(Object.keys(TABLE).sort()).toEqual([...GROUP_ACTIONS].sort());
  });

  const cases = GROUP_ACTIONS.flatMap((action) => EVERYBODY.map((role) => [role, action] as const));
  test.each(cases)('%s: %s', (role, action) => {
    expect(can(role, action)).toBe(role !== null && TABLE[action].includes(role));
  });
});
