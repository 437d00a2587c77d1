/** What the site admin may change at run time; an absent row means the default. */
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';

export interface SiteSettings {
  readonly server_crypto: 'allowed' | 'off';
  readonly password_policy: 'warn' | 'strict';
  readonly offline_allowed: boolean;
  readonly trash_days: number;
}

export async function readSiteSettings(deps: {
  readonly db: Database;
  readonly config: Pick<Config, 'serverCrypto'>;
}): Promise<SiteSettings> {
  const rows = await deps.db.read.selectFrom('site_settings').select(['name', 'value']).execute();
  const value = (name: keyof SiteSettings) => rows.find((row) => row.name === name)?.value;
  return {
    server_crypto: (value('server_crypto') ?? deps.config.serverCrypto) === 'off' ? 'off' : 'allowed',
    password_policy: value('password_policy') === 'strict' ? 'strict' : 'warn',
    offline_allowed: value('offline_allowed') !== 'false',
    trash_days: Number(value('trash_days') ?? 30),
  };
}
