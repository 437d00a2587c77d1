/** Callers branch on `code`, never on text. */
import { KEYRING_TEXTS, TRUST_PROBLEM_TEXTS } from '../texts/keyring.ts';

export type KeyringErrorCode = keyof typeof KEYRING_TEXTS | TrustCode;

export interface KeyringProblem {
  readonly code: KeyringErrorCode;
  readonly message?: string | undefined;
  /** For tests and bug reports: `commit`, `tag`, `roster`, … */
  readonly detail?: string | undefined;
  readonly userIds?: readonly string[] | undefined;
  readonly groupId?: string | undefined;
}

export class KeyringError extends Error {
  override readonly name = 'KeyringError';
  readonly code: KeyringErrorCode;
  readonly detail: string | undefined;
  readonly userIds: readonly string[];
  readonly groupId: string | undefined;

  constructor({ code, message, detail, userIds = [], groupId }: KeyringProblem) {
    super(message ?? (KEYRING_TEXTS as Partial<Record<KeyringErrorCode, string>>)[code]);
    this.code = code;
    this.detail = detail;
    this.userIds = userIds;
    this.groupId = groupId;
  }
}

export function isLocked(failure: unknown): boolean {
  return failure instanceof KeyringError && (failure.code === 'locked' || failure.code === 'crashed');
}

/** The sign-in page throws none, so its bundle omits their texts. */
type TrustCode = keyof typeof TRUST_PROBLEM_TEXTS;

const isTrustCode = (code: KeyringErrorCode): code is TrustCode => code in TRUST_PROBLEM_TEXTS;

/** The error that a worker described. */
export const keyringError = (problem: KeyringProblem): KeyringError =>
  isTrustCode(problem.code) ? trustError(problem.code, problem) : new KeyringError(problem);

type About = Pick<KeyringProblem, 'userIds' | 'detail' | 'groupId'>;

export function trustError(code: TrustCode, { userIds, detail, groupId }: About = {}): KeyringError {
  return new KeyringError({ code, message: TRUST_PROBLEM_TEXTS[code], userIds, detail, groupId });
}
