/** What stands between a person and an act on members: who is trusted, and what this device has accepted. The sign-in page knows none of it. */
import { KeyringError } from './keyring-error.ts';

const MESSAGES = {
  /** Rolled back, forked, or signed by somebody who was no admin (crypto.md §9). */
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
  pins: 'Your list of trusted keys is damaged, or older than this device has seen',
} as const;

export type TrustCode = keyof typeof MESSAGES;

interface About {
  readonly userIds?: readonly string[];
  readonly detail?: string;
}

export function trustError(code: TrustCode, about: About = {}): KeyringError {
  return new KeyringError({ code, message: MESSAGES[code], ...about });
}
