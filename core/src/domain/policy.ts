export const ROLES = ['admin', 'moderator', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** `guest`: an ancestor of the person's group (docs/spec/decisions.md G7). */
export type TreeRole = Role | 'guest';

/** docs/spec/product.md §6, docs/spec/api.md §4. */
const LEAST_ROLE = {
  'group.read': 'member',
  'group.create-child': 'moderator',
  'group.rename': 'admin',
  'group.move': 'admin',
  'group.delete': 'admin',
  'group.rotate': 'admin',
  'members.write': 'admin',
  'templates.write': 'admin',
  'entry.write': 'moderator',
  'field.write': 'moderator',
  'field.reveal': 'member',
  'trash.read': 'moderator',
  'reveals.read': 'moderator',
} as const satisfies Record<string, Role>;

export type GroupAction = keyof typeof LEAST_ROLE;
export const GROUP_ACTIONS = Object.keys(LEAST_ROLE) as readonly GroupAction[];

const RANK: Record<TreeRole, number> = { guest: 0, member: 1, moderator: 2, admin: 3 };

/** `null`: a stranger. */
export function can(role: TreeRole | null, action: GroupAction): boolean {
  return RANK[role ?? 'guest'] >= RANK[LEAST_ROLE[action]];
}
