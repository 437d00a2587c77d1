/** Errors of the trust rules. They are not in `keyring-error.ts`, because the sign-in page does not load their texts. */
import { KeyringError } from './keyring-error.ts';
import { TRUST_PROBLEM_TEXTS } from '../texts/keyring.ts';

export type TrustCode = keyof typeof TRUST_PROBLEM_TEXTS;

interface About {
  readonly userIds?: readonly string[];
  readonly detail?: string;
  readonly groupId?: string;
}

export function trustError(code: TrustCode, about: About = {}): KeyringError {
  return new KeyringError({ code, message: TRUST_PROBLEM_TEXTS[code], ...about });
}
