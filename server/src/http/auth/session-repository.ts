/** Sessions and tokens, stored by the SHA-256 of their secret. */
import type { SessionFactor } from '@passwordbroker/core/contract/account/sign-in-methods';
import type { Database, Transact } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { latestPast } from '../../platform/clock.ts';

export type NewSession = Tables['sessions'];

/** Undefined also for a disabled account or another epoch. */
export async function findSession({ read }: Pick<Database, 'read'>, secretHash: Buffer) {
  return SESSION.first(read, { secretHash });
}

const SESSION = prepared((db, given: { readonly secretHash: Buffer }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.user_id', '=', 'sessions.user_id').onRef('users.epoch', '=', 'sessions.epoch'),
    )
    .select([
      'sessions.session_id',
      'sessions.kind',
      'sessions.face',
      'sessions.client_version',
      'sessions.scopes',
      'sessions.created_at',
      'sessions.last_seen_at',
      'sessions.expires_at',
      'sessions.confirmed_at',
      'sessions.weak_password',
      'sessions.method',
      'sessions.factor',
      'sessions.provider_id',
      'sessions.provider_sid',
      'users.user_id',
      'users.name',
      'users.email',
      'users.is_admin',
      'users.is_auditor',
      'users.server_crypto_opt_out',
      'users.epoch',
      'users.keyset_version',
      'users.factor_state',
      'users.factor_due_at',
      'users.has_password',
      'users.must_link',
      'users.break_glass',
    ])
    .select((eb) =>
      eb.selectFrom('site_settings').select('value').where('name', '=', 'session_idle_minutes').as('idle_minutes'),
    )
    .select((eb) => eb.selectFrom('site_settings').select('value').where('name', '=', 'session_hours').as('hours'))
    .select((eb) => eb.selectFrom('site_settings').select('value').where('name', '=', 'token_days').as('token_days'))
    .select((eb) =>
      eb.selectFrom('site_settings').select('value').where('name', '=', 'sign_in_networks').as('sign_in_networks'),
    )
    .select((eb) =>
      eb.selectFrom('site_settings').select('value').where('name', '=', 'admin_networks').as('admin_networks'),
    )
    .where('users.disabled_at', 'is', null)
    .where('sessions.secret_hash', '=', given.secretHash),
);

/** For the transaction of a critical change. */
export async function isSessionThere(tx: Transact, sessionId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.user_id', '=', 'sessions.user_id').onRef('users.epoch', '=', 'sessions.epoch'),
    )
    .select('sessions.session_id')
    .where('users.disabled_at', 'is', null)
    .where('sessions.session_id', '=', sessionId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertSession(tx: Transact, session: NewSession): Promise<void> {
  await NEW_SESSION.all(tx, session);
}

const NEW_SESSION = prepared((db, given: NewSession) => {
  const { session_id, secret_hash, kind, user_id, epoch, name, scopes } = given;
  const { address, user_agent, created_at, last_seen_at, expires_at, confirmed_at, weak_password } = given;
  const { method, factor, provider_id, provider_sid, face, client_version } = given;
  const whose = { session_id, secret_hash, kind, user_id, epoch, name, scopes };
  const times = { created_at, last_seen_at, expires_at, confirmed_at };
  const how = { method, factor, provider_id, provider_sid, face, client_version };
  return db.insertInto('sessions').values({ ...whose, address, user_agent, weak_password, ...how, ...times });
});

type LastUse = Pick<NewSession, 'last_seen_at' | 'face' | 'client_version'>;

export async function touchSession(tx: Transact, sessionId: string, use: LastUse): Promise<void> {
  await TOUCH.all(tx, { ...use, sessionId });
}

const TOUCH = prepared(
  (db, { sessionId, last_seen_at, face, client_version }: LastUse & { readonly sessionId: string }) =>
    db.updateTable('sessions').set({ last_seen_at, face, client_version }).where('session_id', '=', sessionId),
);

export async function deleteSession(tx: Transact, sessionId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('session_id', '=', sessionId).execute();
}

/** Also removes sessions dated in the future, which would be valid again once a clock was set back. */
export async function deleteExpiredSessions(tx: Transact, now: number): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  await tx
    .deleteFrom('sessions')
    .where('kind', '=', 'cookie')
    .where((row) => row.or([row('created_at', '>', latestPast(now)), row('last_seen_at', '>', latestPast(now))]))
    .execute();
}

export async function listSessions(db: Database, userId: string, kind: NewSession['kind'], now: number) {
  return db.read
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.user_id', '=', 'sessions.user_id').onRef('users.epoch', '=', 'sessions.epoch'),
    )
    .selectAll('sessions')
    .where('sessions.user_id', '=', userId)
    .where('sessions.kind', '=', kind)
    .where('sessions.expires_at', '>', now)
    .orderBy('sessions.last_seen_at', 'desc')
    .orderBy('sessions.session_id', 'desc')
    .execute();
}

export async function listTokens(
  db: Database,
  { now, madeSince }: { readonly now: number; readonly madeSince: number },
) {
  return db.read
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.user_id', '=', 'sessions.user_id').onRef('users.epoch', '=', 'sessions.epoch'),
    )
    .select(['session_id', 'sessions.name', 'scopes', 'face', 'client_version'])
    .select(['sessions.created_at', 'last_seen_at', 'expires_at'])
    .select(['users.user_id', 'users.name as user_name', 'users.email'])
    .where('sessions.kind', '=', 'token')
    .where('expires_at', '>', now)
    .where('sessions.created_at', '>', madeSince)
    .orderBy('last_seen_at', 'desc')
    .orderBy('session_id', 'desc')
    .execute();
}

/** Returns the owner, if any. */
export async function deleteToken(tx: Transact, tokenId: string) {
  const row = await tx
    .deleteFrom('sessions')
    .where('session_id', '=', tokenId)
    .where('kind', '=', 'token')
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

export async function deleteOwnSession(
  tx: Transact,
  { sessionId, userId, kind }: { sessionId: string; userId: string; kind: NewSession['kind'] },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteTokenOfName(tx: Transact, userId: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('kind', '=', 'token')
    .where('name', '=', name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteOtherSessions(tx: Transact, userId: string, exceptId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('kind', '=', 'cookie')
    .where('session_id', '!=', exceptId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteTokens(tx: Transact, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).where('kind', '=', 'token').execute();
}

/** Stores the second factor that was set up after the session began, unless the sign-in itself had one. */
export async function raiseSession(tx: Transact, sessionId: string, factor: NewSession['factor']): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ factor })
    .where('session_id', '=', sessionId)
    .where('factor', 'not in', ['passkey', 'sso'])
    .execute();
}

/**
 * For the present session and tokens, which outlive a removed factor: a later policy must not count it.
 * @param removed the second factors that the account no longer has
 * @param except sessions and tokens of this method keep theirs
 */
export async function dropFactorOfSessions(
  tx: Transact,
  userId: string,
  removed: readonly SessionFactor[],
  except?: NewSession['method'],
): Promise<void> {
  const sessions = tx
    .updateTable('sessions')
    .set({ factor: '' })
    .where('user_id', '=', userId)
    .where('factor', 'in', removed);
  await (except === undefined ? sessions : sessions.where('method', '!=', except)).execute();
}

export async function confirmSession(tx: Transact, sessionId: string, now: number): Promise<void> {
  await tx.updateTable('sessions').set({ confirmed_at: now }).where('session_id', '=', sessionId).execute();
}

/** Ends all sessions and tokens except `keepId`; returns the new epoch (docs/spec/threats.md §3.1.16). */
export async function endCredentials(tx: Transact, userId: string, keepId: string | null = null): Promise<number> {
  const { epoch } = await tx
    .updateTable('users')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .where('user_id', '=', userId)
    .returning('epoch')
    .executeTakeFirstOrThrow();
  const others = tx.deleteFrom('sessions').where('user_id', '=', userId);
  await (keepId === null ? others : others.where('session_id', '!=', keepId)).execute();
  if (keepId !== null) {
    await tx.updateTable('sessions').set({ epoch, weak_password: 0 }).where('session_id', '=', keepId).execute();
  }
  return epoch;
}

/** Undefined without keys. */
export async function findSigningKey(db: Database, userId: string): Promise<Buffer | undefined> {
  const row = await db.read
    .selectFrom('user_keysets')
    .innerJoin('user_certificates', 'user_certificates.fpr', 'user_keysets.fpr')
    .select('user_certificates.ed25519')
    .where('user_keysets.user_id', '=', userId)
    .executeTakeFirst();
  return row?.ed25519;
}

const isCredentialThere = async (tx: Transact, slotId: string): Promise<boolean> =>
  (await tx
    .selectFrom('service_credentials')
    .select('slot_id')
    .where('slot_id', '=', slotId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()) !== undefined;

/** False for a used nonce, null if the session or credential has ended. */
export async function rememberNonce(tx: Transact, row: Tables['proof_nonces']): Promise<boolean | null> {
  const session = await tx
    .selectFrom('sessions')
    .select('session_id')
    .where('session_id', '=', row.session_id)
    .executeTakeFirst();
  if (session === undefined && !(await isCredentialThere(tx, row.session_id))) return null;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('proof_nonces')
    .values(row)
    .onConflict((conflict) => conflict.columns(['session_id', 'nonce']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteOldNonces(tx: Transact, seenBefore: number): Promise<void> {
  await tx.deleteFrom('proof_nonces').where('seen_at', '<', seenBefore).execute();
}
