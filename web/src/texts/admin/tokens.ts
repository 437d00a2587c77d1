/** Texts of the list of all tokens. */
export const ADMIN_TOKENS_TEXTS = {
  page: 'Tokens',
  hint: 'Programs, and browsers on the page of another server, that act for somebody.',
  table: 'Tokens',
  columns: {
    owner: 'Owner',
    name: 'Token',
    scopes: 'May',
    createdAt: 'Created at',
    lastUsed: 'Last used',
    expiresAt: 'Valid until',
    actions: 'Actions',
  },
  search: 'Search tokens',
  searchHint: 'By owner or name',
  loading: 'Loading the tokens',
  failed: 'The tokens could not be loaded.',
  empty: 'no tokens',
  emptyHint: 'Nobody has a token, or none fits the search.',
  scopes: { read: 'read', write: 'write', offline: 'offline copy' },
  revoke: (name: string, owner: string) => `Revoke the token ${name} of ${owner}`,
  revokeTitle: (name: string, owner: string) => `Revoke the token ${name} of ${owner}?`,
  revokeText: (owner: string) =>
    `The program that uses it has no access any more. ${owner} is told by mail, where mail is set up.`,
  revokeConfirm: 'Revoke',
  revoking: 'Revoking',
  revoked: (name: string, owner: string) => `The token ${name} of ${owner} is revoked`,
} as const;
