/** What can go wrong between the page and its keys. Callers branch on `code`, never on text. */

const MESSAGES = {
  locked: 'The vault is locked',
  wrong_master_password: 'MasterPassword is invalid',
  other_person: 'Somebody else is signed in in this browser now',
  /** A new one that no keys can be locked with. */
  unusable_master_password: 'A master password has 1 to 1024 bytes, and whole characters only',
  /** Half of a surrogate pair, which would be sealed as another text. */
  ill_formed_text: 'The text contains half of a character. Type it anew.',
  /** The group's signed roster does not fit its key: nothing is opened or sealed in this group (crypto.md §9). */
  key_mismatch: 'key mismatch: this group is locked on this device',
  /** Rolled back, forked, or signed by somebody who was no admin (crypto.md §9). */
  read_only:
    'The list of members does not follow from the one that this device knows: nothing is changed in this group until it is confirmed',
  key_unconfirmed: 'The key of this person has not been confirmed',
  key_changed: 'The key of this person is another one than before: compare the words first',
  /** `userIds`: whose. */
  members_unsure: 'The key of a member is another one than the signed: compare the words, or remove the member',
  members_unconfirmed: 'Nobody has signed who belongs to this group: confirm its members first',
  pins: 'Your list of trusted keys is damaged, or older than this device has seen',
  /** Right key, but the sealed bytes are damaged, moved or relabelled. Never a wrong master password. */
  integrity: 'The stored value is damaged',
  /** The file to import is refused before anything is sealed. */
  import_file: 'The file could not be read',
  cancelled: 'Cancelled',
  crashed: 'The vault was locked because its worker stopped',
  internal: 'Something went wrong',
} as const;

export type KeyringErrorCode = keyof typeof MESSAGES;

export interface KeyringProblem {
  readonly code: KeyringErrorCode;
  readonly message?: string | undefined;
  /** The code inside core, for tests and bug reports: `commit`, `tag`, `roster`, … */
  readonly detail?: string | undefined;
  /** Of `members_unsure`. */
  readonly userIds?: readonly string[] | undefined;
}

export class KeyringError extends Error {
  override readonly name = 'KeyringError';
  readonly code: KeyringErrorCode;
  readonly detail: string | undefined;
  readonly userIds: readonly string[];

  constructor({ code, message, detail, userIds = [] }: KeyringProblem) {
    super(message ?? MESSAGES[code]);
    this.code = code;
    this.detail = detail;
    this.userIds = userIds;
  }
}

export function isLocked(failure: unknown): boolean {
  return failure instanceof KeyringError && (failure.code === 'locked' || failure.code === 'crashed');
}
