/** Texts of the admin panel as a whole. */
export const ADMIN_TEXTS = {
  panel: 'Admin Panel',
  needsHttps:
    'This page came over plain HTTP: everybody on the way can read and change it, and browsers give it no cryptography. Put HTTPS in front of the server and set PUBLIC_URL.',
  refused: 'The admin panel is for site administrators',
  readOnly: 'You are an auditor: you see everything here and change nothing.',
  userControl: 'User control',
  users: 'Users',
  createUser: 'Create User',
  invite: 'Invite',
  invitations: 'Invitations',
  tokens: 'Tokens',
  settings: 'Settings',
  logs: 'Logs',
  backup: 'Backup',
  retry: 'Try again',
  cancel: 'Cancel',
  save: 'Save',
  saving: 'Saving',
} as const;
