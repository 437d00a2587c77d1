/** Accounts of programs, and their credentials. Nonces of proofs are of a session or of a credential. */
import type { Migration } from '../migrate.ts';

export const serviceAccounts: Migration = {
  name: '0048-service-accounts',
  both: [
    "alter table users add column kind text not null default 'person' check (kind in ('person', 'service'))",
    `create table service_accounts (
      user_id text primary key references users (user_id) on delete cascade,
      owner_id text references users (user_id) on delete set null,
      former_owner text,
      description text not null,
      allowed_networks text not null,
      credential_due INT not null
    )`,
    'create index service_accounts_by_owner on service_accounts (owner_id)',
    `create table service_credentials (
      slot_id text primary key,
      user_id text not null references users (user_id) on delete cascade,
      kdf text not null check (kdf = 'S1'),
      blob BYTES not null,
      token_hash BYTES not null unique,
      created_at INT not null,
      expires_at INT not null,
      last_used_at INT,
      last_address text,
      ended_at INT,
      told_at INT
    )`,
    'create index service_credentials_by_user on service_credentials (user_id)',
    'drop table proof_nonces',
    `create table proof_nonces (
      session_id text not null,
      nonce text not null,
      seen_at INT not null,
      primary key (session_id, nonce)
    )`,
    'create index proof_nonces_by_time on proof_nonces (seen_at)',
  ],
};
