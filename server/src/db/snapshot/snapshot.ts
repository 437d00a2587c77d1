import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import type { Tables } from '../schema/tables.ts';
import { openReader } from '../sqlite/connections.ts';

interface Snapshot {
  readonly read: Kysely<Tables>;
  close(): Promise<void>;
}

/** Opens a snapshot for long reads that block no writers. The caller closes it. */
export async function openSnapshot(db: Database): Promise<Snapshot> {
  return db.dialect === 'sqlite' ? ofEmbedded(db.path) : ofServer(db.read);
}

/** The shared reader must not stay in a transaction. */
async function ofEmbedded(path: string): Promise<Snapshot> {
  const read = openReader(path);
  await sql`begin`.execute(read);
  return seeing({ read, close: () => read.destroy() });
}

async function ofServer(db: Kysely<Tables>): Promise<Snapshot> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  return seeing({ read: tx, close: () => tx.rollback().execute() });
}

async function seeing(snapshot: Snapshot): Promise<Snapshot> {
  try {
    await sql`select count(*) from site_settings`.execute(snapshot.read);
    return snapshot;
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}
