/** docs/spec/product.md §2 */
export const ADMIN_PATHS = {
  checkup: '/admin/checkup/',
  users: '/admin/user_control/',
  createUser: '/admin/user_control/add',
  invite: '/admin/user_control/invite',
  tokens: '/admin/user_control/tokens',
  update: (userId: string) => `/admin/user_control/update/${userId}`,
  offboard: (userId: string) => `/admin/user_control/offboard/${userId}`,
  settings: '/admin/settings/',
  logs: '/admin/logs/',
  backup: '/admin/backup/',
} as const;
