import type { SettingName, SiteLimits, SiteNetworks, SiteSettings } from '@passwordbroker/core/contract/site/site';
import { refuse } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps, Origin, Operator } from '../http/context.ts';
import { admits, normaliseNetworks } from '../platform/networks.ts';
import {
  lastChangeOf,
  readSite,
  readSiteLimits,
  readSiteNetworks,
  readSiteSettings,
  writeSetting,
} from '../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { findFirstSignUp } from '../users/user-repository.ts';

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

/** Or of the first account. */
async function changedAt(deps: Deps, names: readonly string[]): Promise<string> {
  const changed = await lastChangeOf(deps, names);
  return new Date(changed === 0 ? await findFirstSignUp(deps.db) : changed).toISOString();
}

type Changes = Partial<Record<SettingName, string | number | boolean | undefined>>;

/** With its audit row in one transaction (docs/spec/api.md §3.11). */
export async function changeSite(deps: Deps, { actor, origin }: Operator, given: Changes): Promise<void> {
  const changes = { ...given, ...readNetworks(given, actor === null ? null : origin.address) };
  const present: Changes = await readSite(deps);
  const names = Object.keys(changes) as SettingName[];
  const changed = names.filter((name) => changes[name] !== undefined && changes[name] !== present[name]);
  if (changed.length === 0) return;
  const details = Object.fromEntries(changed.map((name) => [name, changes[name] ?? null]));
  await deps.db.transact(async (tx) => {
    for (const name of changed) await writeSetting(tx, name, String(changes[name]), deps.clock.now());
    await recordEvent(tx, deps, { event_type: 'settings_changed', actor, origin, target_type: 'site', details });
  });
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
