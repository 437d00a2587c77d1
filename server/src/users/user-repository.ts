import type { Selectable } from 'kysely';
import type { User } from '@passwordbroker/core/contract/entities';
import type { Database, Transact } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';

export type UserRow = Selectable<Tables['users']>;

const timeOf = (millis: number) => new Date(millis).toISOString();

/** @param storageBytes included if given */
export function asUser(row: UserRow, storageBytes?: number): User {
  return {
    user_id: row.user_id,
    name: row.name,
    email: row.email,
    is_admin: row.is_admin === 1,
    has_keys: row.keyset_version > 0,
    must_rekey: row.must_rekey === 1,
    mp_exposed_at: row.mp_exposed_at === null ? null : timeOf(row.mp_exposed_at),
    server_crypto_opt_out: row.server_crypto_opt_out === 1,
    created_at: timeOf(row.created_at),
    updated_at: timeOf(row.updated_at),
    ...(storageBytes === undefined ? {} : { storage_bytes: storageBytes }),
    ...(row.disabled_at === null ? {} : { disabled: true as const }),
    ...(row.is_auditor === 0 ? {} : { is_auditor: true as const }),
    ...(row.factor_state === 'none' ? {} : { factor_state: row.factor_state }),
    ...(row.factor_due_at === null ? {} : { factor_due_at: timeOf(row.factor_due_at) }),
    ...(row.has_password === 1 ? {} : { has_password: false as const }),
    ...(row.break_glass === 0 ? {} : { break_glass: true as const }),
  };
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.read.selectFrom('users').select('user_id').limit(1).executeTakeFirst()) !== undefined;
}

/** Returns those who are not disabled. */
export async function listSiteAdmins(tx: Transact): Promise<Pick<UserRow, 'user_id' | 'name' | 'email'>[]> {
  return tx
    .selectFrom('users')
    .select(['user_id', 'name', 'email'])
    .where('is_admin', '=', 1)
    .where('disabled_at', 'is', null)
    .orderBy('user_id')
    .execute();
}

/** Unix time in ms. */
export async function findFirstSignUp(db: Database): Promise<number> {
  const row = await db.read
    .selectFrom('users')
    .select((eb) => eb.fn.min<number>('created_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? 0;
}

/** Ids of the enabled accounts without a second factor, as a query. */
export const withoutFactorIds = (db: Database['read']) =>
  db
    .selectFrom('users')
    .select('user_id')
    .where('kind', '=', 'person')
    .where('factor_state', '!=', 'set')
    .where('disabled_at', 'is', null);

export async function countWithoutFactor(db: Database): Promise<number> {
  const counting = withoutFactorIds(db.read).clearSelect();
  const { count } = await counting.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

export async function countEnabled(db: Database): Promise<number> {
  const enabled = db.read.selectFrom('users').where('kind', '=', 'person').where('disabled_at', 'is', null);
  const { count } = await enabled.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

export async function findUser(db: Database, userId: string): Promise<UserRow | undefined> {
  return USER.first(db.read, { userId });
}

const USER = prepared((db, given: { readonly userId: string }) =>
  db.selectFrom('users').selectAll().where('user_id', '=', given.userId),
);

export async function findUserByEmail(db: Database, emailKey: string): Promise<UserRow | undefined> {
  return OF_EMAIL.first(db.read, { emailKey });
}

const OF_EMAIL = prepared((db, given: { readonly emailKey: string }) =>
  db.selectFrom('users').selectAll().where('email_key', '=', given.emailKey).where('kind', '=', 'person'),
);

export async function isNameTaken(db: Database, nameKey: string, butBy?: string): Promise<boolean> {
  const row = await db.read.selectFrom('users').select('user_id').where('name_key', '=', nameKey).executeTakeFirst();
  return row !== undefined && row.user_id !== butBy;
}

export async function isEmailTaken(db: Database, emailKey: string, butBy?: string): Promise<boolean> {
  const row = await findUserByEmail(db, emailKey);
  return row !== undefined && row.user_id !== butBy;
}

export async function insertUser(tx: Transact, row: UserRow): Promise<void> {
  await tx.insertInto('users').values(row).execute();
}

/** Does nothing if the password was changed meanwhile. */
export async function replacePasswordHash(tx: Transact, userId: string, from: string, to: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: to })
    .where('user_id', '=', userId)
    .where('password_hash', '=', from)
    .execute();
}

interface PasswordChange {
  readonly from: string;
  readonly to: string;
  /** 0: `to` is the hash of nothing that anybody knows. */
  readonly has_password: 0 | 1;
  readonly now: number;
}

/** Returns false if the password was changed meanwhile. */
export async function replacePassword(
  tx: Transact,
  userId: string,
  { from, to, has_password, now }: PasswordChange,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: to, has_password, updated_at: now })
    .where('user_id', '=', userId)
    .where('password_hash', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** People; with a group everybody who is not its member, service accounts too. */
export async function listNames(db: Database, exceptMembersOf: string | undefined) {
  const all = db.read.selectFrom('users').select(['user_id', 'name', 'email', 'email_key', 'kind']);
  if (exceptMembersOf === undefined) return all.where('kind', '=', 'person').execute();
  return all
    .where('user_id', 'not in', (eb) =>
      eb.selectFrom('group_members').select('user_id').where('entry_group_id', '=', exceptMembersOf),
    )
    .execute();
}

export async function findUsers(db: Database, userIds: readonly string[]): Promise<UserRow[]> {
  if (userIds.length === 0) return [];
  return db.read.selectFrom('users').selectAll().where('user_id', 'in', userIds).execute();
}

export async function writeOptOut(tx: Transact, userId: string, status: boolean, now: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ server_crypto_opt_out: status ? 1 : 0, updated_at: now })
    .where('user_id', '=', userId)
    .execute();
}

/** Names and e-mails are unique in this form. */
export const identityKey = (text: string): string => text.normalize('NFKC').toLowerCase();
