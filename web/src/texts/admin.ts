/** Texts of the admin panel that belong to no single page of it. */
export const ADMIN_TEXTS = {
  panel: 'Admin Panel',
  refused: 'The admin panel is for site administrators',
  userControl: 'User control',
  users: 'Users',
  createUser: 'Create User',
  invite: 'Invite',
  settings: 'Settings',
  logs: 'Logs',
  backup: 'Backup',
  retry: 'Try again',
  cancel: 'Cancel',
  save: 'Save',
  saving: 'Saving',
} as const;
