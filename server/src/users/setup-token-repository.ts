/** Hash of the setup token that a server created, stored with the settings of the site. */
import type { Database, Transact } from '../db/database.ts';

const NAME = 'setup_token_sha256';

export async function readSetupTokenHash({ read }: Database): Promise<string | undefined> {
  const row = await read.selectFrom('site_settings').select('value').where('name', '=', NAME).executeTakeFirst();
  return row?.value;
}

export async function writeSetupTokenHash(tx: Transact, value: string, now: number): Promise<void> {
  await tx
    .insertInto('site_settings')
    .values({ name: NAME, value, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: now }))
    .execute();
}
