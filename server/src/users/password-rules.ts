import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { isShorterThan } from '@passwordbroker/core/domain/sign-up-rules';
import type { Deps } from '../http/context.ts';
import type { FieldTexts } from '../http/validation.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { passwordScore } from '../platform/passwords/strength.ts';

interface NewPassword {
  readonly password: string;
  readonly password_confirmation?: string | undefined;
}

/** By field (docs/spec/decisions.md K8). @param about texts that must not occur in it */
export async function newPasswordTexts(
  deps: Deps,
  { password, password_confirmation }: NewPassword,
  { prefix = '', about = [] }: { readonly prefix?: string; readonly about?: readonly string[] } = {},
): Promise<FieldTexts> {
  const texts: FieldTexts = {};
  if (Buffer.byteLength(password) > LIMITS.passwordBytes) {
    texts[`${prefix}password`] = [TEXTS.tooLong(LIMITS.passwordBytes)('password')];
  } else {
    const weakness = await passwordWeakness(deps, password, about);
    if (weakness !== null) texts[`${prefix}password`] = [weakness];
  }
  if (password_confirmation !== password) {
    texts[`${prefix}password_confirmation`] = [SIGN_UP_TEXTS.passwordMismatch];
  }
  return texts;
}

interface NewMasterPassword {
  readonly masterPassword: string;
  /** The master password must differ from it, because the server sees it at every sign-in. */
  readonly password?: string;
  readonly about: readonly string[];
}

/** Returns null if the site's policy accepts it. */
export async function masterPasswordWeakness(
  deps: Deps,
  { masterPassword, password, about }: NewMasterPassword,
): Promise<string | null> {
  const weakness = await passwordWeakness(deps, masterPassword, about);
  if (weakness !== null || masterPassword !== password) return weakness;
  return (await readSiteSettings(deps)).password_policy === 'strict' ? SIGN_UP_TEXTS.tooWeak : null;
}

/** Returns null if the site's policy accepts it. */
export async function passwordWeakness(deps: Deps, password: string, about: readonly string[]): Promise<string | null> {
  const { password_policy, password_min_length, password_min_score } = await readSiteSettings(deps);
  if (password_policy !== 'strict') return null;
  if (isShorterThan(password, password_min_length)) return SIGN_UP_TEXTS.tooShort(password_min_length);
  return (await passwordScore(password, about)) < password_min_score ? SIGN_UP_TEXTS.tooWeak : null;
}
