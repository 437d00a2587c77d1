/** Passkeys, the wraps that they open, and used WebAuthn challenges. */
import type { Migration } from '../migrate.ts';

export const passkeys: Migration = {
  name: '0041-passkeys',
  both: [
    `create table user_passkeys (
      passkey_id text primary key,
      user_id text not null references users (user_id) on delete cascade,
      credential_id BYTES not null unique,
      rp_id text not null,
      handle INT not null check (handle in (0, 1)),
      public_key BYTES not null,
      counter INT not null,
      transports text not null,
      aaguid text not null,
      backed_up INT not null,
      has_prf INT not null,
      name text not null,
      for_factor INT not null,
      for_sign_in INT not null,
      created_at INT not null,
      created_address text not null,
      created_agent text not null,
      last_used_at INT
    )`,
    'create index user_passkeys_of_user on user_passkeys (user_id)',
    `create table user_prf_slots (
      slot_id text primary key,
      passkey_id text not null unique references user_passkeys (passkey_id) on delete cascade,
      user_id text not null references users (user_id) on delete cascade,
      kdf text not null,
      salt BYTES not null,
      blob BYTES not null,
      version INT not null,
      created_at INT not null
    )`,
    'create index user_prf_slots_of_user on user_prf_slots (user_id)',
    'create table used_challenges (challenge_hash BYTES primary key, expires_at INT not null)',
  ],
};
