/** What can go wrong between the page and its keys. Callers branch on `code`, never on text. */
import type { TrustCode } from './trust-error.ts';

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
  /** Right key, but the sealed bytes are damaged, moved or relabelled. Never a wrong master password. */
  integrity: 'The stored value is damaged',
  /** A copy in this browser that is missing, damaged, older than one that was seen, or an answer that cannot become one; `detail` says which. */
  offline_copy: 'The local copy cannot be used',
  /** The file to import is refused before anything is sealed. */
  import_file: 'The file could not be read',
  cancelled: 'Cancelled',
  crashed: 'The vault was locked because its worker stopped',
  internal: 'Something went wrong',
} as const;

export type KeyringErrorCode = keyof typeof MESSAGES | TrustCode;

export interface KeyringProblem {
  readonly code: KeyringErrorCode;
  readonly message?: string | undefined;
  /** The code inside core, for tests and bug reports: `commit`, `tag`, `roster`, … */
  readonly detail?: string | undefined;
  /** Whose keys it is about. */
  readonly userIds?: readonly string[] | undefined;
}

export class KeyringError extends Error {
  override readonly name = 'KeyringError';
  readonly code: KeyringErrorCode;
  readonly detail: string | undefined;
  readonly userIds: readonly string[];

  constructor({ code, message, detail, userIds = [] }: KeyringProblem) {
    super(message ?? (MESSAGES as Partial<Record<KeyringErrorCode, string>>)[code]);
    this.code = code;
    this.detail = detail;
    this.userIds = userIds;
  }
}

export function isLocked(failure: unknown): boolean {
  return failure instanceof KeyringError && (failure.code === 'locked' || failure.code === 'crashed');
}
