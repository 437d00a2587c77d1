/** What keeps a text from being an account password (`api.md` §3.2). */
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { FieldTexts } from '../http/validation.ts';

interface NewPassword {
  readonly password: string;
  readonly password_confirmation?: string | undefined;
}

/** Findings by field; `prefix` is put before the fields' names (`user.`). */
export function newPasswordTexts({ password, password_confirmation }: NewPassword, prefix: string): FieldTexts {
  const texts: FieldTexts = {};
  if (Buffer.byteLength(password) > LIMITS.passwordBytes) {
    texts[`${prefix}password`] = [TEXTS.tooLong(LIMITS.passwordBytes)('password')];
  }
  if (password_confirmation !== password) {
    texts[`${prefix}password_confirmation`] = [SIGN_UP_TEXTS.passwordMismatch];
  }
  return texts;
}
