/** Identified by fingerprint only: versions restart after a key reset. */
import type { Migration } from '../migrate.ts';

export const certificates: Migration = {
  name: '0003-certificates',
  both: [
    `create table user_certificates_by_fpr (
      fpr text primary key,
      user_id text not null,
      keyset_version INT not null,
      ed25519 BYTES not null,
      rsa_spki BYTES not null,
      prev_fpr text not null,
      sig BYTES not null,
      sig_prev BYTES,
      created_at INT not null
    )`,
    `insert into user_certificates_by_fpr (fpr, user_id, keyset_version, ed25519, rsa_spki, prev_fpr, sig, sig_prev, created_at)
      select fpr, user_id, keyset_version, ed25519, rsa_spki, prev_fpr, sig, sig_prev, created_at from user_certificates`,
    'drop table user_certificates',
    'alter table user_certificates_by_fpr rename to user_certificates',
    'create index user_certificates_of_user on user_certificates (user_id, created_at)',
  ],
};
