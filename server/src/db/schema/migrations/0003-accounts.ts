import type { Migration } from '../migrate.ts';

export const accounts: Migration = {
  name: '0003-accounts',
  both: [
    'alter table users add column disabled_at INT',
    "create unique index sessions_token_name on sessions (user_id, name) where kind = 'token'",
    `create table invites (
      invite_id text primary key,
      token_hash BYTES not null unique,
      email text not null,
      email_key text not null,
      username text,
      invited_by text,
      created_at INT not null,
      expires_at INT not null,
      accepted_at INT,
      revoked_at INT
    )`,
    // A second invitation replaces the first.
    'create unique index invites_open on invites (email_key) where accepted_at is null and revoked_at is null',
    `create table mail_outbox (
      mail_id text primary key,
      notice text not null,
      recipient text not null,
      details text not null,
      created_at INT not null,
      due_at INT not null,
      attempts INT not null
    )`,
    'create index mail_outbox_due on mail_outbox (due_at)',
  ],
};
