import { catalogue } from '@passwordbroker/core/texts';

/** Errors of the keyring by code. */
export const KEYRING_TEXTS = catalogue('keyring', {
  locked: 'The vault is locked',
  wrong_master_password: 'MasterPassword is invalid',
  other_person: 'Someone else has signed in with this browser',
  unusable_master_password: 'The master password is empty, too long, or contains a character that cannot be used',
  /** Half of a surrogate pair, which would be encoded as another text. */
  ill_formed_text: 'The text contains a character that cannot be saved. Type it again.',
  /** The group's signed member list does not fit its key: the group stays closed (docs/spec/crypto.md §9). */
  key_mismatch:
    'The key of this group is not the right one, so the group stays closed here. Ask an admin of the group.',
  /** The key is right, but the sealed bytes are damaged, moved or relabelled. */
  integrity: 'The stored value is damaged',
  /** `detail` says why: missing, damaged, outdated, or an unusable answer. */
  offline_copy: 'The local copy cannot be used',
  import_file: 'The file could not be read',
  cancelled: 'Cancelled',
  crashed: 'The vault was locked because its background process stopped',
  internal: 'Something went wrong',
});

/** Trust errors that prevent an operation. Not loaded by the sign-in page. */
export const TRUST_PROBLEM_TEXTS = catalogue('trustProblem', {
  /** Rolled back, forked, or signed by a person who was not an admin. */
  read_only:
    'The list of members is not one that this browser can accept. Nothing can be changed in this group until the list is confirmed.',
  not_admin: 'Only an admin of the group can accept a different list of members',
  other_list: 'The list of members on the server has changed. Check it again.',
  never_without:
    'The signed list of members is missing. This group has always had one, so without it nothing in the group can be trusted.',
  rotation_unfinished: 'The key of this group is still being changed. Finish that first.',
  key_unconfirmed: 'The key of this person is not confirmed: compare the words first',
  key_changed: 'The key of this person has changed: compare the words first',
  members_unsure: 'The key of a member has changed: compare the words, or remove the member',
  members_unconfirmed: 'The members of this group are not signed: confirm them first',
  group_unconfirmed: 'First confirm who shares this group with you',
  group_unsigned: 'The members of this group are not signed: sign the list of members first',
  must_compare: 'Compare the key words with this person first. Here you may not share before that.',
  not_to_go_on:
    'This list of members cannot be trusted, so it cannot be accepted. Tell the people who run this server.',
  unasked: 'This browser sees the members of this group for the first time. Check them, then change the key yourself.',
  record:
    'Your trust record is missing or out of date, so nothing can be saved. The message at the top says what to do.',
  favourites_full: 'You have 500 favourites, which is the limit. Remove one first.',
  searches_full: 'You have saved 50 searches, which is the limit. Remove one first.',
  other_passkey:
    'The passkey gave another answer than when it was added. Use your master password, then add the passkey again.',
  wrong_recovery_key: 'This is not the recovery key of this account',
  no_recovery_kit: 'This account has no recovery kit',
  last_use: 'First answer the question about when you last used your account',
});
