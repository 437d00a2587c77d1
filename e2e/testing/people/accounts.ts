/** Accounts in bulk, old sign-ins and ended grace periods, written into the database because the product would take minutes. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openWriter } from '../../../server/src/db/sqlite/connections.ts';

/** Accounts without keys, named `Person 01` and so on; other columns are those of the first user. */
export async function addAccounts(dataDir: string, count: number): Promise<void> {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    const first = await queries.selectFrom('users').selectAll().limit(1).executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, (_, at) => {
      const name = `Person ${String(at + 1).padStart(2, '0')}`;
      const email = `person${at + 1}@example.org`;
      return {
        ...first,
        user_id: randomUUID(),
        name,
        name_key: name.toLowerCase(),
        email,
        email_key: email,
        is_admin: 0 as const,
        first_user: null,
        keyset_version: 0,
      };
    });
    await queries.insertInto('users').values(rows).execute();
  } finally {
    await queries.destroy();
  }
}

/** Makes the last password confirmation of every session an hour old. */
export async function makeSignInsOld(dataDir: string): Promise<void> {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    await queries
      .updateTable('sessions')
      .set({ confirmed_at: Date.now() - 60 * 60_000 })
      .execute();
  } finally {
    await queries.destroy();
  }
}

/** @param dueAt since when everybody must have a second factor (Unix ms); null: nobody must */
export async function requireFactors(dataDir: string, dueAt: number | null): Promise<void> {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    await queries.updateTable('users').set({ factor_due_at: dueAt }).execute();
  } finally {
    await queries.destroy();
  }
}
