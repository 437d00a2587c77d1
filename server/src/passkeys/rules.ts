/** What this site and its host let passkeys do. */
import type { Passkey } from '@passwordbroker/core/contract/account/webauthn';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database } from '../db/database.ts';
import type { Deps } from '../http/context.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

export type PasskeyUse = Passkey['uses'][number];

/** @throws AppError `conflict`: the site keeps them apart */
export function singleUse(uses: readonly PasskeyUse[]): PasskeyUse {
  const [use, ...others] = new Set(uses);
  if (use === undefined || others.length > 0) throw new AppError('conflict', { message: SERVER_TEXTS.passkeysApart });
  return use;
}

/** The last byte of the user handle. An authenticator keeps one discoverable passkey for each handle. */
export const HANDLES = { factor: 0, sign_in: 0, unlock: 1 } as const;

/** Base64url. */
export const userHandleOf = (userId: string, handle: 0 | 1): string =>
  Buffer.from(`${userId.replaceAll('-', '')}0${handle}`, 'hex').toString('base64url');

/** An RP ID above the host unlocks nothing: every page below that domain could ask the authenticator. */
export async function allowedUses(
  deps: Pick<Deps, 'config'> & { readonly db: Pick<Database, 'read'> },
): Promise<Readonly<Record<PasskeyUse, boolean>>> {
  const { rpId, publicUrl } = deps.config;
  const { passkey_sign_in, passkey_unlock } = await readSiteSettings(deps);
  const isOwnHost = rpId === new URL(publicUrl).hostname;
  return {
    factor: rpId !== null,
    sign_in: rpId !== null && passkey_sign_in !== 'off',
    unlock: isOwnHost && passkey_unlock !== 'off',
  };
}

/** Returns the host that passkeys belong to. @throws AppError `forbidden` */
export async function demandUse(deps: Deps, use: PasskeyUse): Promise<string> {
  const { rpId } = deps.config;
  if (rpId === null) throw new AppError('forbidden', { message: SERVER_TEXTS.passkeysNeedHost });
  if (!(await allowedUses(deps))[use]) {
    const message = use === 'unlock' ? SERVER_TEXTS.passkeyUnlockOff : SERVER_TEXTS.passkeySignInOff;
    throw new AppError('forbidden', { message });
  }
  return rpId;
}
