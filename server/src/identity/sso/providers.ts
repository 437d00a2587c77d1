/** The providers of this server: those that people may sign in with, and what site admins see and change of them. */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import type { change, Provider, ProviderSettings } from '@passwordbroker/core/contract/site/providers';
import { demandSiteAdmin } from '../../accounts/change-account.ts';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Database } from '../../db/database.ts';
import type { Caller, Deps } from '../../http/context.ts';
import { noticeToSiteAdmins } from '../../mail/outbox-repository.ts';
import { readSiteSignIn } from '../../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { deleteSessionsOfProvider, numbersOfProviders, type ProviderNumbers } from './link-repository.ts';
import type { KnownProvider } from './provider/provider-connection.ts';
import { ProviderAway } from './provider/provider-fetch.ts';
import { settingsOf, settingsOfAll, settingsProblem, writeSettings } from './provider/provider-settings.ts';

export type EnabledProvider = KnownProvider & { readonly settings: ProviderSettings };

/** In a transaction pass `{ read: tx }` as `db`. */
type Known = Pick<Deps, 'providers'> & { readonly db: Pick<Database, 'read'> };

/** Empty without a query where the environment names none. */
export async function enabledProviders({ db, providers }: Known): Promise<EnabledProvider[]> {
  const all = await settingsOfAll(db.read, [...providers.values()]);
  return all.filter(({ settings }) => settings.enabled);
}

/** @throws AppError `not_found` for one that is unknown or switched off */
export async function enabledProvider({ db, providers }: Known, id: string): Promise<EnabledProvider> {
  const known = providers.get(id);
  const settings = known === undefined ? undefined : await settingsOf(db.read, known);
  if (known === undefined || settings?.enabled !== true) throw new AppError('not_found');
  return { ...known, settings };
}

/** For site admins and auditors. */
export async function listProviders({ db, providers, clock }: Deps): Promise<Provider[]> {
  if (providers.size === 0) return [];
  const known = await settingsOfAll(db.read, [...providers.values()]);
  const numbers = await numbersOfProviders(db.read, clock.now());
  return known.map((one) => asProvider(one, one.settings, numbers));
}

const asProvider = (
  { id, name, issuer, clientSecret, fixed }: KnownProvider,
  { allowed_domains, allowed_groups, accepted_acr, accepted_amr, ...scalars }: ProviderSettings,
  { accounts, sessions }: ProviderNumbers,
): Provider => ({
  provider_id: id,
  name,
  issuer,
  has_secret: clientSecret !== null,
  ...scalars,
  allowed_domains: [...allowed_domains],
  allowed_groups: [...allowed_groups],
  accepted_acr: [...accepted_acr],
  accepted_amr: [...accepted_amr],
  fixed: Object.keys(fixed),
  accounts: accounts.get(issuer) ?? 0,
  sessions: sessions.get(id) ?? 0,
});

/**
 * Switching a provider off ends the sessions that it began.
 * @throws AppError `not_found`; `conflict` for what the environment sets, or for the last provider while local sign-in is
 * off; `validation`
 */
export async function changeProvider(
  { deps, actor, origin }: Caller & { readonly deps: Deps },
  id: string,
  body: BodyOf<typeof change>,
): Promise<Provider> {
  const provider = knownProvider(deps, id);
  const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const isFixed = Object.keys(changes).some((name) => Object.hasOwn(provider.fixed, name));
  if (isFixed) throw new AppError('conflict', { message: SERVER_TEXTS.providerFixed });
  return deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, actor);
    const db = { read: tx };
    const settings = { ...(await settingsOf(tx, provider)), ...changes };
    const problem = settingsProblem(settings);
    if (problem !== null) throw refuse(problem.member, problem.text);
    await writeSettings(tx, provider, settings, deps.clock.now());
    if (!settings.enabled) {
      const isOff = (await readSiteSignIn({ db })).local_sign_in === 'off';
      const isLast = (await enabledProviders({ db, providers: deps.providers })).length === 0;
      if (isOff && isLast) throw new AppError('conflict', { message: SERVER_TEXTS.lastProvider });
      await deleteSessionsOfProvider(tx, id);
    }
    const target = { target_type: 'site', details: { provider: id } };
    await recordEvent(tx, deps, { event_type: 'provider_changed', actor, origin, ...target });
    await noticeToSiteAdmins(tx, deps, 'provider changed', { about: provider.name, origin, by: actor });
    return asProvider(provider, settings, await numbersOfProviders(tx, deps.clock.now()));
  });
}

/** Asks the provider anew. `problems` are sentences for the person who set it up. @throws AppError `not_found` */
export async function testProvider(deps: Deps, id: string): Promise<{ ok: boolean; problems: string[] }> {
  const provider = knownProvider(deps, id);
  const problems = await provider.connection.problems(await settingsOf(deps.db.read, provider));
  return { ok: problems.length === 0, problems };
}

function knownProvider({ providers }: Deps, id: string): KnownProvider {
  const provider = providers.get(id);
  if (provider === undefined) throw new AppError('not_found');
  return provider;
}

const RETRY_SECONDS = 30;

/** Turns an absence of the provider into 503 and a line of the log. */
export async function reaching<T>(
  deps: Pick<Deps, 'log'>,
  provider: KnownProvider,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderAway)) throw error;
    deps.log.warn({ provider: provider.id, reason: error.reason }, 'An identity provider cannot be used');
    const message = SERVER_TEXTS.providerAway(provider.name);
    const details = { provider_id: provider.id };
    throw new AppError('provider_unavailable', { message, details, retryAfter: RETRY_SECONDS });
  }
}
