/** Second factors of accounts, and how sessions began. */
import type { Migration } from '../migrate.ts';

export const secondFactors: Migration = {
  name: '0038-second-factors',
  both: [
    `alter table users add column factor_state text not null default 'none'
      check (factor_state in ('none', 'set', 'reset'))`,
    'alter table users add column factor_due_at INT',
    `alter table sessions add column method text not null default 'password'`,
    `alter table sessions add column factor text not null default ''`,
    `create table user_totp (
      totp_id text primary key,
      user_id text not null references users (user_id) on delete cascade,
      secret BYTES not null,
      last_step INT not null,
      created_at INT not null,
      confirmed_at INT,
      last_used_at INT
    )`,
    'create unique index user_totp_confirmed on user_totp (user_id) where confirmed_at is not null',
    'create unique index user_totp_pending on user_totp (user_id) where confirmed_at is null',
    `create table user_recovery_codes (
      user_id text not null references users (user_id) on delete cascade,
      code_hash BYTES not null,
      created_at INT not null,
      expires_at INT,
      used_at INT,
      restored_at INT,
      primary key (user_id, code_hash)
    )`,
    `create table remembered_browsers (
      browser_id text primary key,
      secret_hash BYTES not null unique,
      user_id text not null references users (user_id) on delete cascade,
      epoch INT not null,
      address text not null,
      user_agent text not null,
      created_at INT not null,
      last_used_at INT not null,
      expires_at INT not null
    )`,
    'create index remembered_browsers_of_user on remembered_browsers (user_id, created_at)',
    `create table sign_in_tickets (
      ticket_id text primary key,
      secret_hash BYTES not null unique,
      user_id text references users (user_id) on delete cascade,
      epoch INT,
      purpose text not null,
      method text not null,
      binding BYTES,
      details text not null,
      failures INT not null,
      created_at INT not null,
      expires_at INT not null
    )`,
    'create index sign_in_tickets_by_expiry on sign_in_tickets (expires_at)',
    'create index sign_in_tickets_of_user on sign_in_tickets (user_id, created_at)',
  ],
};
