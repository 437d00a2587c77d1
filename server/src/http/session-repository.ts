/** Sessions and tokens in the database. Rows hold the SHA-256 of the secret that the caller presents. */
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

export type NewSession = Tables['sessions'];

/** The session of a secret with its person, as long as the account's epoch is that of the session. */
export async function findSession(db: Database, secretHash: Buffer) {
  return db.read
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.user_id', '=', 'sessions.user_id').onRef('users.epoch', '=', 'sessions.epoch'),
    )
    .select([
      'sessions.session_id',
      'sessions.kind',
      'sessions.last_seen_at',
      'sessions.expires_at',
      'sessions.confirmed_at',
      'users.user_id',
      'users.name',
      'users.email',
      'users.is_admin',
      'users.server_crypto_opt_out',
      'users.epoch',
    ])
    .where('sessions.secret_hash', '=', secretHash)
    .executeTakeFirst();
}

export async function insertSession(tx: Transact, session: NewSession): Promise<void> {
  await tx.insertInto('sessions').values(session).execute();
}

export async function touchSession(tx: Transact, sessionId: string, now: number): Promise<void> {
  await tx.updateTable('sessions').set({ last_seen_at: now }).where('session_id', '=', sessionId).execute();
}

export async function deleteSession(tx: Transact, sessionId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('session_id', '=', sessionId).execute();
}

/** Removes sessions that can never be used again. */
export async function deleteExpiredSessions(tx: Transact, now: number): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}
