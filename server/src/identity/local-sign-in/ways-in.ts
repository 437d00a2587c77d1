import type { Database } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import { listPasskeys } from '../../passkeys/passkey-repository.ts';
import { allowedUses } from '../../passkeys/rules.ts';
import type { UserRow } from '../../users/user-repository.ts';
import { listLinks } from '../sso/link-repository.ts';
import { enabledProviders } from '../sso/providers.ts';
import { acceptsLocalProof } from './local-sign-in.ts';

/** In a transaction pass `{ read: tx }` as `db`. */
type Known = Pick<Deps, 'config' | 'providers'> & { readonly db: Pick<Database, 'read'> };

/** Whether an enabled provider, or a passkey on this host, signs in to the account, were it without an account password. */
export async function signsInWithoutPassword(known: Known, user: UserRow): Promise<boolean> {
  const links = await listLinks(known.db.read, user.user_id);
  const enabled = links.length === 0 ? [] : await enabledProviders(known);
  if (enabled.some(({ issuer }) => links.some((link) => link.issuer === issuer))) return true;
  // A break-glass account without a password is none.
  if (!(await acceptsLocalProof(known, { ...user, has_password: 0 }))) return false;
  if (!(await allowedUses(known)).sign_in) return false;
  const passkeys = await listPasskeys(known.db.read, user.user_id);
  return passkeys.some(({ for_sign_in, rp_id }) => for_sign_in === 1 && rp_id === known.config.rpId);
}
