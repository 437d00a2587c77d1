/** What keeps a text from being an account or master password on this site (`api.md` §3.2, decision K8). */
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Deps } from '../http/context.ts';
import type { FieldTexts } from '../http/validation.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { isWeakPassword } from '../platform/strength.ts';

interface NewPassword {
  readonly password: string;
  readonly password_confirmation?: string | undefined;
}

/** Findings by field; `prefix` is put before the fields' names (`user.`), `about` is what the password must not be made of. */
export async function newPasswordTexts(
  deps: Deps,
  { password, password_confirmation }: NewPassword,
  { prefix = '', about = [] }: { readonly prefix?: string; readonly about?: readonly string[] } = {},
): Promise<FieldTexts> {
  const texts: FieldTexts = {};
  if (Buffer.byteLength(password) > LIMITS.passwordBytes) {
    texts[`${prefix}password`] = [TEXTS.tooLong(LIMITS.passwordBytes)('password')];
  } else if ((await isStrict(deps)) && (await isWeakPassword(password, about))) {
    texts[`${prefix}password`] = [SIGN_UP_TEXTS.tooWeak];
  }
  if (password_confirmation !== password) {
    texts[`${prefix}password_confirmation`] = [SIGN_UP_TEXTS.passwordMismatch];
  }
  return texts;
}

interface NewMasterPassword {
  readonly masterPassword: string;
  /** When it is known: the same one twice is weak, because the server sees it at every sign-in. */
  readonly password?: string;
  readonly about: readonly string[];
}

/** Whether the policy of the site refuses it. */
export async function isRefusedMasterPassword(
  deps: Deps,
  { masterPassword, password, about }: NewMasterPassword,
): Promise<boolean> {
  if (!(await isStrict(deps))) return false;
  return masterPassword === password || isWeakPassword(masterPassword, about);
}

const isStrict = async (deps: Deps) => (await readSiteSettings(deps)).password_policy === 'strict';
