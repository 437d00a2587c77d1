import type {
  SettingName,
  SignInSettings,
  SiteLimits,
  SiteNetworks,
  SiteSettings,
} from '@passwordbroker/core/contract/site/site';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { findAccountInTransaction } from '../accounts/account-repository.ts';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import { readsSite } from '../http/auth/authorise.ts';
import type { Actor, Deps, Origin, Operator } from '../http/context.ts';
import { deleteEveryWrap } from '../passkeys/passkey-repository.ts';
import { admits, normaliseNetworks } from '../platform/networks.ts';
import {
  lastChangeOf,
  readSite,
  readSiteLimits,
  readSiteNetworks,
  readSiteSettings,
  readSiteSignIn,
  writeSetting,
} from '../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { applyFactorPolicy, isStricter } from '../identity/factors/policy.ts';
import { endRemembered } from '../identity/factors/remembered-browsers.ts';
import { applyLocalSignIn, countTokensBeside, countUnlinked } from '../identity/local-sign-in/local-sign-in.ts';
import { signsInWithoutPassword } from '../identity/local-sign-in/ways-in.ts';
import { countEnabled, countWithoutFactor, findFirstSignUp } from '../users/user-repository.ts';

export async function siteSettings(deps: Deps): Promise<SiteSettings> {
  const settings = await readSiteSettings(deps);
  return { ...settings, updated_at: await changedAt(deps, Object.keys(settings)) };
}

export async function siteLimits(deps: Deps): Promise<SiteLimits> {
  const limits = await readSiteLimits(deps);
  return { ...limits, updated_at: await changedAt(deps, Object.keys(limits)) };
}

export async function siteNetworks(deps: Deps, { address }: Origin): Promise<SiteNetworks> {
  const networks = await readSiteNetworks(deps);
  return { ...networks, your_address: address, updated_at: await changedAt(deps, Object.keys(networks)) };
}

/** With numbers for site admins and auditors. */
export async function siteSignIn(deps: Deps, actor: Pick<Actor, 'isAdmin' | 'isAuditor'>): Promise<SignInSettings> {
  const settings = await readSiteSignIn(deps);
  const updated_at = await changedAt(deps, Object.keys(settings));
  return { ...settings, ...(readsSite(actor) ? await signInNumbers(deps) : {}), updated_at };
}

async function signInNumbers(deps: Deps) {
  const { allowsLocalSignIn, providers } = deps.config;
  const why = providers.length === 0 ? ('no provider' as const) : ('LOCAL_SIGN_IN' as const);
  return {
    accounts: await countEnabled(deps.db),
    without_factor: await countWithoutFactor(deps.db),
    unlinked: await countUnlinked(deps),
    tokens: await countTokensBeside(deps.db, deps.clock.now()),
    ...(allowsLocalSignIn ? { local_sign_in_overruled: why } : {}),
  };
}

/** Or of the first account. */
async function changedAt(deps: Deps, names: readonly string[]): Promise<string> {
  const changed = await lastChangeOf(deps, names);
  return new Date(changed === 0 ? await findFirstSignUp(deps.db) : changed).toISOString();
}

type Changes = Partial<Record<SettingName, string | number | boolean | undefined>>;

/** With its audit row in one transaction (docs/spec/api.md §3.11). */
export async function changeSite(
  deps: Deps,
  { actor, origin }: Operator,
  { unlinked, ...given }: Changes & { readonly unlinked?: number | undefined },
): Promise<void> {
  const changes = { ...given, ...readNetworks(given, actor === null ? null : origin.address) };
  const site = await readSite(deps);
  const present: Changes = site;
  const names = Object.keys(changes) as SettingName[];
  const changed = names.filter((name) => changes[name] !== undefined && changes[name] !== present[name]);
  if (changed.length === 0) return;
  const policy = { ...site, ...Object.fromEntries(changed.map((name) => [name, changes[name]])) } as typeof site;
  // A policy must not restrict the admin who sets it.
  if (isStricter(policy.second_factor, site.second_factor) && actor !== null && actor.factorState !== 'set') {
    throw new AppError('conflict', { message: SERVER_TEXTS.ownFactorFirst });
  }
  const details = Object.fromEntries(changed.map((name) => [name, changes[name] ?? null]));
  await deps.db.transact(async (tx) => {
    for (const name of changed) await writeSetting(tx, name, String(changes[name]), deps.clock.now());
    if (changed.includes('second_factor')) await applyFactorPolicy(tx, policy, deps.clock.now());
    if (policy.remember_days < site.remember_days) await endRemembered(tx, null);
    if (changes.passkey_unlock === 'off') await deleteEveryWrap(tx);
    if (changes.passkey_sign_in === 'off' && actor !== null) await demandOtherWayIn(tx, deps, actor);
    if (changed.includes('local_sign_in')) {
      await applyLocalSignIn(tx, deps, { actor, origin }, { to: policy.local_sign_in, unlinked });
    }
    await recordEvent(tx, deps, { event_type: 'settings_changed', actor, origin, target_type: 'site', details });
  });
}

/** The admin who switches passkeys off must not be locked out by that. @throws AppError `conflict` */
async function demandOtherWayIn(tx: Transact, deps: Deps, { userId }: Actor): Promise<void> {
  const user = await findAccountInTransaction(tx, userId);
  if (user?.has_password !== 0 || (await signsInWithoutPassword({ ...deps, db: { read: tx } }, user))) return;
  throw new AppError('conflict', { message: SERVER_TEXTS.onlyWayIn });
}

const NETWORK_LISTS = ['sign_in_networks', 'admin_networks'] as const;

/**
 * @param callerAddress null for the command line @throws AppError `validation` for a malformed list or one
 * that locks the caller out
 */
function readNetworks(changes: Changes, callerAddress: string | null): Changes {
  const lists: Changes = {};
  for (const name of NETWORK_LISTS) {
    const text = changes[name];
    if (typeof text !== 'string') continue;
    const networks = normaliseNetworks(text);
    if (networks === null) throw refuse(name, SERVER_TEXTS.noNetworks);
    if (callerAddress !== null && !admits(networks, callerAddress)) {
      throw refuse(name, SERVER_TEXTS.networksWithoutYou(callerAddress));
    }
    lists[name] = networks;
  }
  return lists;
}
