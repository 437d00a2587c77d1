import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import { readSiteSignIn } from '../../platform/site-settings-repository.ts';

/**
 * For an account that is no longer a break-glass account: while local sign-in is off, ends its sessions by account
 * password or passkey, and sign-ins that wait for the second factor. Tokens stay.
 */
export async function endLocalSessions(tx: Transact, { config }: Pick<Deps, 'config'>, userId: string): Promise<void> {
  if (config.allowsLocalSignIn) return;
  if ((await readSiteSignIn({ db: { read: tx } })).local_sign_in !== 'off') return;
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('kind', '=', 'cookie')
    .where('provider_id', 'is', null)
    .execute();
  await tx.deleteFrom('sign_in_tickets').where('user_id', '=', userId).where('method', '!=', 'sso').execute();
}
