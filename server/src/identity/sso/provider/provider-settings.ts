/** What site admins may change of a provider; members that the environment fixes win. */
import * as z from 'zod/mini';
import { PROVIDER_SETTINGS, type ProviderSettings } from '@passwordbroker/core/contract/site/providers';
import type { Database, Transact } from '../../../db/database.ts';
import { SERVER_TEXTS } from '../../../platform/texts.ts';

export type { ProviderSettings } from '@passwordbroker/core/contract/site/providers';

const DEFAULT_PROVIDER_SETTINGS: ProviderSettings = {
  enabled: false,
  create_accounts: false,
  allowed_domains: [],
  groups_claim: 'groups',
  allowed_groups: [],
  second_factor: 'ours',
  accepted_acr: [],
  accepted_amr: [],
  session_hours: 720,
  back_channel_logout: false,
  logout_at_provider: false,
};

const SOME = z.strictObject(PROVIDER_SETTINGS);

/** Null for anything but JSON of some of the settings. */
export function readSettings(text: string): Partial<ProviderSettings> | null {
  try {
    const { success, data } = z.safeParse(SOME, JSON.parse(text));
    if (!success) return null;
    return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  } catch {
    return null;
  }
}

/** Null for settings that go together. */
export function settingsProblem(
  some: Partial<ProviderSettings>,
): { readonly member: string; readonly text: string } | null {
  const settings = { ...DEFAULT_PROVIDER_SETTINGS, ...some };
  if (settings.create_accounts && settings.allowed_domains.length + settings.allowed_groups.length === 0) {
    return { member: 'create_accounts', text: SERVER_TEXTS.providerCreates };
  }
  const accepted = settings.accepted_acr.length + settings.accepted_amr.length;
  return settings.second_factor === 'provider' && accepted === 0
    ? { member: 'second_factor', text: SERVER_TEXTS.providerFactors }
    : null;
}

interface Configured {
  readonly id: string;
  readonly fixed: Partial<ProviderSettings>;
}

/** In a transaction pass `tx`: `db.read` does not see its writes. */
export async function settingsOf(
  db: Database['read'] | Transact,
  { id, fixed }: Configured,
): Promise<ProviderSettings> {
  const rows = await db.selectFrom('identity_providers').select('settings').where('provider_id', '=', id).execute();
  return withFixed(rows[0]?.settings, fixed);
}

/** As `settingsOf`, for all in their order, with one query. */
export async function settingsOfAll<P extends Configured>(
  db: Database['read'],
  providers: readonly P[],
): Promise<(P & { readonly settings: ProviderSettings })[]> {
  if (providers.length === 0) return [];
  const rows = await db.selectFrom('identity_providers').select(['provider_id', 'settings']).execute();
  const stored = new Map(rows.map(({ provider_id, settings }) => [provider_id, settings]));
  return providers.map((one) => ({ ...one, settings: withFixed(stored.get(one.id), one.fixed) }));
}

const withFixed = (stored: string | undefined, fixed: Partial<ProviderSettings>): ProviderSettings => ({
  ...DEFAULT_PROVIDER_SETTINGS,
  ...(stored === undefined ? {} : readSettings(stored)),
  ...fixed,
});

/** All but what the environment sets. */
export async function writeSettings(
  tx: Transact,
  { id, fixed }: Configured,
  settings: ProviderSettings,
  now: number,
): Promise<void> {
  const own = Object.fromEntries(Object.entries(settings).filter(([name]) => !Object.hasOwn(fixed, name)));
  const row = { settings: JSON.stringify(own), updated_at: now };
  await tx
    .insertInto('identity_providers')
    .values({ provider_id: id, ...row })
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet(row))
    .execute();
}
