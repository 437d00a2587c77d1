/** Links of accounts to identity providers, and sessions that these began. */
import type { Migration } from '../migrate.ts';

export const singleSignOn: Migration = {
  name: '0042-single-sign-on',
  both: [
    'alter table users add column has_password INT not null default 1 check (has_password in (0, 1))',
    'alter table users add column must_link INT not null default 0 check (must_link in (0, 1))',
    'alter table users add column break_glass INT not null default 0 check (break_glass in (0, 1))',
    'alter table sessions add column provider_id text',
    'alter table sessions add column provider_sid text',
    'create index sessions_of_provider on sessions (provider_id, provider_sid) where provider_id is not null',
    `create table user_sso_links (
      link_id text primary key,
      user_id text not null references users (user_id) on delete cascade,
      provider_id text not null,
      issuer text not null,
      subject text not null,
      email_then text not null,
      created_at INT not null,
      last_used_at INT,
      unique (issuer, subject),
      unique (user_id, provider_id)
    )`,
    `create table identity_providers (
      provider_id text primary key,
      settings text not null,
      updated_at INT not null
    )`,
    `create table sso_used_once (
      id_hash BYTES primary key,
      expires_at INT not null
    )`,
    'create index sso_used_once_by_expiry on sso_used_once (expires_at)',
  ],
};
