/** Errors of the keyring by code. */
export const KEYRING_TEXTS = {
  locked: 'The vault is locked',
  wrong_master_password: 'MasterPassword is invalid',
  other_person: 'Somebody else is signed in in this browser now',
  unusable_master_password: 'A master password has 1 to 1024 bytes, and whole characters only',
  /** Half of a surrogate pair, which would be encoded as another text. */
  ill_formed_text: 'The text contains half of a character. Type it anew.',
  /** The group's signed member list does not fit its key: the group stays closed (docs/spec/crypto.md §9). */
  key_mismatch: 'key mismatch: this group is locked on this device',
  /** The key is right, but the sealed bytes are damaged, moved or relabelled. */
  integrity: 'The stored value is damaged',
  /** `detail` says why: missing, damaged, outdated, or an unusable answer. */
  offline_copy: 'The local copy cannot be used',
  import_file: 'The file could not be read',
  cancelled: 'Cancelled',
  crashed: 'The vault was locked because its worker stopped',
  internal: 'Something went wrong',
} as const;

/** Trust errors that prevent an operation. Not loaded by the sign-in page. */
export const TRUST_PROBLEM_TEXTS = {
  /** Rolled back, forked, or signed by a person who was not an admin. */
  read_only:
    'The list of members does not follow from the one that this device knows: nothing is changed in this group until it is confirmed',
  not_admin: 'Only an admin of the group can go on from another list of members',
  other_list: 'The server shows another list of members by now: look at it again',
  never_without:
    'This group has had a signed list of members since it was made: without one, nothing in it can be relied on',
  rotation_unfinished:
    'The key of the group is being changed: what is under the former one has to be wrapped anew first',
  key_unconfirmed: 'The key of this person has not been confirmed',
  key_changed: 'The key of this person is another one than before: compare the words first',
  members_unsure: 'The key of a member is another one than the signed: compare the words, or remove the member',
  members_unconfirmed: 'Nobody has signed who belongs to this group: confirm its members first',
  group_unconfirmed: 'You have not confirmed this group: confirm the key of the person who signed its members first',
  group_unsigned: 'Nobody has signed who belongs to this group: sign the list of members first',
  must_compare: 'Only compared keys count here: compare the words first',
  not_to_go_on: 'This list cannot be relied on, so nothing goes on from it',
  unasked: 'This browser does not know the members of the group from before: change the key yourself',
  record: 'Your trust record is missing or in doubt: nothing is written until that is settled',
  last_use: 'Say first when you last used your account',
} as const;
