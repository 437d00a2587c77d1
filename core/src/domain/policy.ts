/** What a person's role in an entry group allows: one table, used by the server to decide and by the client to show. */

export const ROLES = ['admin', 'moderator', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** `guest` is never stored: it is an ancestor of a group that the person belongs to (decision G7). */
export type TreeRole = Role | 'guest';

/** Least role that may do it (specification §6, `api.md` §4). */
const LEAST_ROLE = {
  'group.read': 'member',
  'group.create-child': 'moderator',
  'group.rename': 'admin',
  'group.move': 'admin',
  'group.delete': 'admin',
  'group.rotate': 'admin',
  'members.write': 'admin',
  'entry.write': 'moderator',
  'field.write': 'moderator',
  'field.reveal': 'member',
  'trash.read': 'moderator',
} as const satisfies Record<string, Role>;

export type GroupAction = keyof typeof LEAST_ROLE;
export const GROUP_ACTIONS = Object.keys(LEAST_ROLE) as readonly GroupAction[];

const RANK: Record<TreeRole, number> = { guest: 0, member: 1, moderator: 2, admin: 3 };

/** Whether a person with this role in the group may do the action. A guest, or nobody (`null`), may do nothing. */
export function can(role: TreeRole | null, action: GroupAction): boolean {
  return RANK[role ?? 'guest'] >= RANK[LEAST_ROLE[action]];
}
