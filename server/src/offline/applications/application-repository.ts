import type { Selectable } from 'kysely';
import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';

export type ApplicationRow = Selectable<Tables['user_applications']>;

export async function findApplication(
  db: Database['read'] | Transact,
  applicationId: string,
): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('user_applications')
    .selectAll()
    .where('user_application_id', '=', applicationId)
    .executeTakeFirst();
}

/** Its offline copy is on and its account may sign in. */
export async function isKept(db: Database, applicationId: string): Promise<boolean> {
  const row = await db.read
    .selectFrom('user_applications')
    .innerJoin('users', 'users.user_id', 'user_applications.user_id')
    .select('users.user_id')
    .where('user_application_id', '=', applicationId)
    .where('is_offline', '=', 1)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Newest last. */
export async function listApplications(db: Database, userId: string): Promise<ApplicationRow[]> {
  return db.read
    .selectFrom('user_applications')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('user_application_id')
    .execute();
}

export async function findByClient(
  db: Database['read'] | Transact,
  userId: string,
  clientId: string,
): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('user_applications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

/** By the name of a token, which is the client id. */
export async function findByToken(db: Database, sessionId: string): Promise<ApplicationRow | undefined> {
  return db.read
    .selectFrom('sessions')
    .innerJoin('user_applications', (join) =>
      join
        .onRef('user_applications.user_id', '=', 'sessions.user_id')
        .onRef('user_applications.client_id', '=', 'sessions.name'),
    )
    .selectAll('user_applications')
    .where('sessions.session_id', '=', sessionId)
    .where('sessions.kind', '=', 'token')
    .executeTakeFirst();
}

export async function insertApplication(tx: Transact, row: ApplicationRow): Promise<void> {
  await tx.insertInto('user_applications').values(row).execute();
}

/** Keeps `kept`: those without a copy go first, then the least recently used. */
export async function deleteQuietest(tx: Transact, userId: string, kept: number): Promise<void> {
  const rows = await tx
    .selectFrom('user_applications')
    .select('user_application_id')
    .where('user_id', '=', userId)
    .orderBy('is_offline', 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('user_application_id', 'desc')
    .execute();
  const quiet = rows.slice(kept).map(({ user_application_id }) => user_application_id);
  if (quiet.length > 0) await tx.deleteFrom('user_applications').where('user_application_id', 'in', quiet).execute();
}

/** False unless it exists in the opposite mode. */
export async function switchApplication(
  tx: Transact,
  applicationId: string,
  columns: Partial<Omit<ApplicationRow, 'user_application_id' | 'user_id' | 'client_id' | 'created_at'>> &
    Pick<ApplicationRow, 'is_offline'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('user_applications')
    .set(columns)
    .where('user_application_id', '=', applicationId)
    .where('is_offline', '!=', columns.is_offline)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** False unless its offline copy is on. */
export async function noteFetch(
  tx: Transact,
  applicationId: string,
  columns: Partial<Pick<ApplicationRow, 'copy_fetched_at' | 'key_state' | 'key_fetched_at'>> & { updated_at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('user_applications')
    .set(columns)
    .where('user_application_id', '=', applicationId)
    .where('is_offline', '=', 1)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns whether its copy was on; null if it did not exist. */
export async function deleteApplication(tx: Transact, applicationId: string): Promise<boolean | null> {
  const gone = await tx
    .deleteFrom('user_applications')
    .where('user_application_id', '=', applicationId)
    .returning('is_offline')
    .executeTakeFirst();
  return gone === undefined ? null : gone.is_offline === 1;
}
