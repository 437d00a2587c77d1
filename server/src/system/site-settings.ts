/** Settings of the site: read by everybody, changed by site admins, on record by name and value (`api.md` §3.11). */
import type { SettingName, SiteLimits, SiteSettings } from '@passwordbroker/core/contract/site';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps } from '../http/context.ts';
import type { Operator } from '../operations/caller.ts';
import { lastChangeOf, readSiteLimits, readSiteSettings, writeSetting } from '../platform/site-settings-repository.ts';
import { findFirstSignUp } from '../users/user-repository.ts';

export async function siteSettings(deps: Deps): Promise<SiteSettings> {
  const settings = await readSiteSettings(deps);
  return { ...settings, updated_at: await changedAt(deps, Object.keys(settings)) };
}

export async function siteLimits(deps: Deps): Promise<SiteLimits> {
  const limits = await readSiteLimits(deps);
  return { ...limits, updated_at: await changedAt(deps, Object.keys(limits)) };
}

/** A site where nobody has changed anything is as old as its first account. */
async function changedAt(deps: Deps, names: readonly string[]): Promise<string> {
  const changed = await lastChangeOf(deps, names);
  return new Date(changed === 0 ? await findFirstSignUp(deps.db) : changed).toISOString();
}

type Changes = Partial<Record<SettingName, string | number | boolean | undefined>>;

/** Stores what differs from the present settings, in one transaction with its audit row. */
export async function changeSite(deps: Deps, { actor, origin }: Operator, changes: Changes): Promise<void> {
  const present: Changes = { ...(await readSiteSettings(deps)), ...(await readSiteLimits(deps)) };
  const names = Object.keys(changes) as SettingName[];
  const changed = names.filter((name) => changes[name] !== undefined && changes[name] !== present[name]);
  if (changed.length === 0) return;
  const details = Object.fromEntries(changed.map((name) => [name, changes[name] ?? null]));
  await deps.db.transact(async (tx) => {
    for (const name of changed) await writeSetting(tx, name, String(changes[name]), deps.clock.now());
    await recordEvent(tx, deps, { event_type: 'settings_changed', actor, origin, target_type: 'site', details });
  });
}
