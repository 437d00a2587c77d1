/** Site admins can change these at run time; an absent row means the default. */
import * as z from 'zod/mini';
import { SITE_VALUES } from '@passwordbroker/core/contract/site/site';
import type {
  SettingName,
  SiteLimits as Limits,
  SiteNetworks as Networks,
  SiteSettings as Settings,
  SignInSettings,
} from '@passwordbroker/core/contract/site/site';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { STRICT_PASSWORD } from '@passwordbroker/core/domain/sign-up-rules';
import type { Config } from '../app/config.ts';
import type { Database, Transact } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';

export type SiteSettings = Omit<Settings, 'updated_at'>;
export type SiteLimits = Omit<Limits, 'updated_at'>;
export type SiteNetworks = Omit<Networks, 'updated_at' | 'your_address'>;

export type SiteSignIn = Omit<SignInSettings, 'updated_at' | 'without_factor' | 'unlinked'>;

export const DEFAULT_SITE_LIMITS: SiteLimits = {
  session_idle_minutes: 30,
  session_hours: 12,
  lock_minutes: LIMITS.lockMinutes,
  invite_days: 7,
  token_days: LIMITS.tokenDays,
  file_mib: LIMITS.fileBytes / 1024 / 1024,
  person_quota_mib: 5 * 1024,
  site_quota_mib: 0,
};

interface SettingsDeps {
  readonly db: Pick<Database, 'read'>;
  readonly config: Pick<Config, 'serverCrypto'>;
}

export async function readSiteSettings({ db, config }: SettingsDeps): Promise<SiteSettings> {
  return stored(await readRows(db), {
    server_crypto: config.serverCrypto,
    password_policy: 'warn',
    password_min_length: STRICT_PASSWORD.length,
    password_min_score: STRICT_PASSWORD.score,
    require_verified_members: false,
    passkey_sign_in: 'allowed',
    passkey_unlock: 'separate',
    recovery_kit: 'optional',
    offline_allowed: true,
    offline_files: true,
    export_by: 'admins',
    export_plain: false,
    service_accounts: 'admins',
    trash_days: 30,
    log_months: 0,
  });
}

/** In a transaction pass `tx` as `read`: `db.read` does not see its writes. */
export async function readSiteLimits({ db }: { readonly db: Pick<Database, 'read'> }): Promise<SiteLimits> {
  return stored(await readRows(db), DEFAULT_SITE_LIMITS);
}

export async function readSiteNetworks({ db }: { readonly db: Pick<Database, 'read'> }): Promise<SiteNetworks> {
  return stored(await readRows(db), { sign_in_networks: '', admin_networks: '' });
}

export async function readSiteSignIn({ db }: { readonly db: Pick<Database, 'read'> }): Promise<SiteSignIn> {
  return stored(await readRows(db), {
    local_sign_in: 'allowed',
    second_factor: 'optional',
    second_factor_grace_days: 14,
    remember_days: 30,
  });
}

export const readSite = async (deps: SettingsDeps) => ({
  ...(await readSiteSettings(deps)),
  ...(await readSiteLimits(deps)),
  ...(await readSiteNetworks(deps)),
  ...(await readSiteSignIn(deps)),
});

/** Last change, Unix ms; 0: never. */
export async function lastChangeOf({ db }: Pick<SettingsDeps, 'db'>, names: readonly string[]): Promise<number> {
  const rows = await readRows(db);
  return Math.max(0, ...rows.filter(({ name }) => names.includes(name)).map((row) => row.updated_at));
}

/** State beside the settings. */
type Memory = 'checkup_kept' | 'mail_tested' | 'setup_token_sha256';

/** Returns '' if nothing is stored. */
export async function readMemory(db: Database['read'] | Transact, name: Memory): Promise<string> {
  const row = await db.selectFrom('site_settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? '';
}

export async function writeSetting(
  tx: Transact,
  name: SettingName | Memory,
  value: string,
  now: number,
): Promise<void> {
  await tx
    .insertInto('site_settings')
    .values({ name, value, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: now }))
    .execute();
}

const ROWS = prepared((db) => db.selectFrom('site_settings').selectAll());

const readRows = (db: Pick<Database, 'read'>) => ROWS.all(db.read, {});

/** Ignores invalid values. */
function stored<T extends object>(rows: Awaited<ReturnType<typeof readRows>>, defaults: T): T {
  const read = rows.flatMap(({ name, value }) => {
    if (!Object.hasOwn(defaults, name)) return [];
    const { success, data } = z.safeParse(SITE_VALUES[name as SettingName], value);
    return success ? [[name, data] as const] : [];
  });
  return { ...defaults, ...(Object.fromEntries(read) as Partial<T>) };
}
