/** What the site admin may change at run time; an absent row means the default. */
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Config } from '../config.ts';
import type { Database, Transact } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';

export interface SiteSettings {
  readonly server_crypto: 'allowed' | 'off';
  readonly password_policy: 'warn' | 'strict';
  readonly offline_allowed: boolean;
  readonly trash_days: number;
}

/** How long sessions and invitations live, how long an unlocked vault may be left alone, and how large a file may be. */
export interface SiteLimits {
  readonly session_idle_minutes: number;
  readonly session_hours: number;
  readonly lock_minutes: number;
  readonly invite_days: number;
  readonly file_mib: number;
}

export const DEFAULT_SITE_LIMITS: SiteLimits = {
  session_idle_minutes: 30,
  session_hours: 12,
  lock_minutes: LIMITS.lockMinutes,
  invite_days: 7,
  file_mib: LIMITS.fileBytes / 1024 / 1024,
};

export type SettingName = keyof SiteSettings | keyof SiteLimits;

interface Place {
  readonly db: Database;
  readonly config: Pick<Config, 'serverCrypto'>;
}

export async function readSiteSettings(deps: Place): Promise<SiteSettings> {
  const { value } = await readRows(deps.db);
  return {
    server_crypto: (value('server_crypto') ?? deps.config.serverCrypto) === 'off' ? 'off' : 'allowed',
    password_policy: value('password_policy') === 'strict' ? 'strict' : 'warn',
    offline_allowed: value('offline_allowed') !== 'false',
    trash_days: Number(value('trash_days') ?? 30),
  };
}

/** Within an act through its own transaction: what `db.read` asks then is another connection, which has nothing at hand. */
export async function readSiteLimits({ db }: { readonly db: Pick<Database, 'read'> }): Promise<SiteLimits> {
  const { value } = await readRows(db);
  const number = (name: keyof SiteLimits) => Number(value(name) ?? DEFAULT_SITE_LIMITS[name]);
  return {
    session_idle_minutes: number('session_idle_minutes'),
    session_hours: number('session_hours'),
    lock_minutes: number('lock_minutes'),
    invite_days: number('invite_days'),
    file_mib: number('file_mib'),
  };
}

/** When any of these was changed last, milliseconds; 0 for never. */
export async function lastChangeOf({ db }: Pick<Place, 'db'>, names: readonly string[]): Promise<number> {
  const { rows } = await readRows(db);
  return Math.max(0, ...rows.filter(({ name }) => names.includes(name)).map((row) => row.updated_at));
}

export async function writeSetting(tx: Transact, name: SettingName, value: string, now: number): Promise<void> {
  await tx
    .insertInto('site_settings')
    .values({ name, value, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: now }))
    .execute();
}

const SETTINGS = prepared((db) => db.selectFrom('site_settings').selectAll());

async function readRows(db: Pick<Database, 'read'>) {
  const rows = await SETTINGS.all(db.read, {});
  return { rows, value: (name: SettingName) => rows.find((row) => row.name === name)?.value };
}
