import type { Passkey } from '@passwordbroker/core/contract/account/webauthn';
import type { Database, Transact } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';

type Read = Database['read'] | Transact;
export type PasskeyRow = Tables['user_passkeys'];
export type WrapRow = Tables['user_prf_slots'];

export async function listPasskeys(db: Read, userId: string) {
  return db
    .selectFrom('user_passkeys')
    .leftJoin('user_prf_slots', 'user_prf_slots.passkey_id', 'user_passkeys.passkey_id')
    .selectAll('user_passkeys')
    .select('user_prf_slots.version as wrap_version')
    .where('user_passkeys.user_id', '=', userId)
    .orderBy('user_passkeys.created_at')
    .orderBy('user_passkeys.passkey_id')
    .execute();
}

export function asPasskey(row: PasskeyRow & { wrap_version: number | null }, rpId: string | null): Passkey {
  return {
    passkey_id: row.passkey_id,
    credential_id: row.credential_id.toString('base64url'),
    rp_id: row.rp_id,
    is_here: row.rp_id === rpId,
    name: row.name,
    uses: [
      ...(row.for_factor === 1 ? ['factor' as const] : []),
      ...(row.for_sign_in === 1 ? ['sign_in' as const] : []),
      ...(row.wrap_version === null ? [] : ['unlock' as const]),
    ],
    wrap_version: row.wrap_version ?? 0,
    has_prf: row.has_prf === 1,
    synced: row.backed_up === 1,
    aaguid: row.aaguid,
    created_at: new Date(row.created_at).toISOString(),
    address: row.created_address,
    user_agent: row.created_agent,
    last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  };
}

/** As options of WebAuthn name it. */
export const namedPasskey = ({ credential_id, transports }: Pick<PasskeyRow, 'credential_id' | 'transports'>) => ({
  type: 'public-key' as const,
  id: credential_id.toString('base64url'),
  transports: transports.split(' ').filter((transport) => transport !== ''),
});

/** Second factors of this host. @param rpId null: this host has none */
export async function listSecurityKeys(db: Read, userId: string, rpId: string | null): Promise<PasskeyRow[]> {
  const all = await listSecurityKeysAnywhere(db, userId);
  return all.filter((row) => row.rp_id === rpId);
}

/** Also those that belong to a former host of the site. */
export async function listSecurityKeysAnywhere(db: Read, userId: string): Promise<PasskeyRow[]> {
  return KEYS.all(db, { userId });
}

const KEYS = prepared((db, given: { readonly userId: string }) =>
  db
    .selectFrom('user_passkeys')
    .selectAll()
    .where('user_id', '=', given.userId)
    .where('for_factor', '=', 1)
    .orderBy('created_at')
    .orderBy('passkey_id'),
);

export async function hasSignInPasskey(db: Read, userId: string): Promise<boolean> {
  return (await listPasskeys(db, userId)).some(({ for_sign_in }) => for_sign_in === 1);
}

/** Finds passkeys of this person only. */
export async function findPasskey(db: Read, userId: string, passkeyId: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('user_passkeys')
    .selectAll()
    .where('passkey_id', '=', passkeyId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function findPasskeyByCredential(db: Read, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  return BY_CREDENTIAL.first(db, { credentialId });
}

const BY_CREDENTIAL = prepared((db, given: { readonly credentialId: Buffer }) =>
  db.selectFrom('user_passkeys').selectAll().where('credential_id', '=', given.credentialId),
);

/** False if another request has used it meanwhile. Authenticators without a counter always say 0. */
export async function noteUse(
  tx: Transact,
  { passkey_id, counter }: Pick<PasskeyRow, 'passkey_id' | 'counter'>,
  used: { readonly counter: number; readonly now: number },
): Promise<boolean> {
  return (await USE.first(tx, { passkey_id, counter, next: used.counter, now: used.now })) !== undefined;
}

type Used = Pick<PasskeyRow, 'passkey_id' | 'counter'> & { readonly next: number; readonly now: number };

const USE = prepared((db, given: Used) =>
  db
    .updateTable('user_passkeys')
    .set({ counter: given.next, last_used_at: given.now })
    .where('passkey_id', '=', given.passkey_id)
    .where('counter', '=', given.counter)
    .returning('passkey_id'),
);

export async function insertPasskey(tx: Transact, row: PasskeyRow): Promise<void> {
  await tx.insertInto('user_passkeys').values(row).execute();
}

export async function setName(tx: Transact, passkeyId: string, name: string): Promise<void> {
  await tx.updateTable('user_passkeys').set({ name }).where('passkey_id', '=', passkeyId).execute();
}

/** Also deletes its wrap. */
export async function deletePasskey(tx: Transact, passkeyId: string): Promise<void> {
  await tx.deleteFrom('user_passkeys').where('passkey_id', '=', passkeyId).execute();
}

/** With their wraps. */
export async function deletePasskeysOf(tx: Transact, userId: string): Promise<void> {
  await tx.deleteFrom('user_passkeys').where('user_id', '=', userId).execute();
}

export async function listWrapVersions(tx: Transact, userId: string) {
  return tx.selectFrom('user_prf_slots').select(['passkey_id', 'version']).where('user_id', '=', userId).execute();
}

/** Inserts or replaces the wrap. */
export async function writeWrap(tx: Transact, row: WrapRow): Promise<void> {
  await deleteWrap(tx, row.passkey_id);
  await tx.insertInto('user_prf_slots').values(row).execute();
}

export async function deleteWrap(tx: Transact, passkeyId: string): Promise<void> {
  await tx.deleteFrom('user_prf_slots').where('passkey_id', '=', passkeyId).execute();
}

/** Returns the number of deleted wraps. */
export async function deleteEveryWrap(tx: Transact): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('user_prf_slots').executeTakeFirst();
  return Number(numDeletedRows);
}

/** Returns false if it was used before. */
export async function rememberChallenge(tx: Transact, row: Tables['used_challenges']): Promise<boolean> {
  return (await CHALLENGE.first(tx, row)) !== undefined;
}

const CHALLENGE = prepared((db, { challenge_hash, expires_at }: Tables['used_challenges']) =>
  db
    .insertInto('used_challenges')
    .values({ challenge_hash, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('challenge_hash'),
);

export async function deleteExpiredChallenges(tx: Transact, now: number): Promise<void> {
  await tx.deleteFrom('used_challenges').where('expires_at', '<=', now).execute();
}

export async function countPasskeysElsewhere({ read }: Pick<Database, 'read'>, rpId: string | null): Promise<number> {
  const all = read.selectFrom('user_passkeys').select((eb) => eb.fn.countAll<number>().as('n'));
  const { n } = await (rpId === null ? all : all.where('rp_id', '!=', rpId)).executeTakeFirstOrThrow();
  return Number(n);
}

/** Wraps whose passkey is missing or belongs to another person. */
export async function listStrayWraps({ read }: Pick<Database, 'read'>): Promise<string[]> {
  const rows = await read
    .selectFrom('user_prf_slots')
    .leftJoin('user_passkeys', 'user_passkeys.passkey_id', 'user_prf_slots.passkey_id')
    .select('user_prf_slots.slot_id')
    .where((eb) =>
      eb.or([
        eb('user_passkeys.user_id', 'is', null),
        eb('user_passkeys.user_id', '!=', eb.ref('user_prf_slots.user_id')),
      ]),
    )
    .limit(20)
    .execute();
  return rows.map(({ slot_id }) => slot_id);
}
