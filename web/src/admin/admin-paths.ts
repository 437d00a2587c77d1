import type { PEOPLE_FILTERS } from '@passwordbroker/core/contract/users/people';

/** docs/spec/product.md §2 */
export const ADMIN_PATHS = {
  checkup: '/admin/checkup/',
  users: '/admin/user_control/',
  createUser: '/admin/user_control/add',
  invite: '/admin/user_control/invite',
  tokens: '/admin/user_control/tokens',
  services: '/admin/user_control/services',
  update: (userId: string) => `/admin/user_control/update/${userId}`,
  offboard: (userId: string) => `/admin/user_control/offboard/${userId}`,
  settings: '/admin/settings/',
  providers: '/admin/providers/',
  usersOf: (only: (typeof PEOPLE_FILTERS)[number]) => `/admin/user_control/?only=${only}`,
  logs: '/admin/logs/',
  backup: '/admin/backup/',
} as const;
