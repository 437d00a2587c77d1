import type { Actor, Deps } from '../../http/context.ts';
import { ProviderAway } from './provider/provider-fetch.ts';
import { settingsOf } from './provider/provider-settings.ts';

/** Where a person whose session ended also signs out at its provider. Null if the site or the provider does not want it. */
export async function logoutUrlOf(deps: Deps, actor: Actor | null): Promise<string | null> {
  const { config, db, log, providers } = deps;
  const known = providers.get(actor?.provider?.id ?? '');
  if (known === undefined || !(await settingsOf(db.read, known)).logout_at_provider) return null;
  try {
    // The provider must know this address.
    return await known.connection.logoutUrl(`${config.publicUrl}/identity/login`);
  } catch (error) {
    if (!(error instanceof ProviderAway)) throw error;
    // The session here has ended all the same.
    log.warn({ provider: known.id, reason: error.reason }, 'An identity provider cannot be used');
    return null;
  }
}
