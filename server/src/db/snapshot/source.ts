import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import type { Dialect } from '../schema/migrate.ts';
import { readPostgresUrl } from '../postgres/address.ts';
import type { Tables } from '../schema/tables.ts';
import { openReader } from '../sqlite/connections.ts';

/** Can be sent to a thread. */
export interface DatabaseSource {
  readonly dialect: Dialect;
  readonly path: string;
}

export interface Snapshot {
  readonly read: Kysely<Tables>;
  close(): Promise<void>;
}

export function sourceOf({ dialect, path }: Pick<Database, 'dialect' | 'path'>): DatabaseSource {
  return { dialect, path };
}

/** Opens a snapshot on its own connection. Meanwhile SQLite's write-ahead log cannot shrink. */
export async function openSnapshotOf({ path }: DatabaseSource): Promise<Snapshot> {
  const address = readPostgresUrl(path);
  if (address !== null) {
    const { openStill } = await import('../postgres/database.ts');
    return openStill(address);
  }
  const read = openReader(path);
  // The first read after `begin` fixes the snapshot.
  await sql`begin`.execute(read);
  await read.selectFrom('site_settings').select('name').limit(1).execute();
  return { read, close: () => read.destroy() };
}
