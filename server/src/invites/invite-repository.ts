/** Rows contain only the SHA-256 of the link's secret. */
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

export type InviteRow = Tables['invites'];

export async function insertInvite(tx: Transact, row: InviteRow): Promise<void> {
  await tx.insertInto('invites').values(row).execute();
}

function invites(db: Database['read']) {
  return db
    .selectFrom('invites')
    .leftJoin('users', 'users.user_id', 'invites.invited_by')
    .selectAll('invites')
    .select('users.name as inviter_name');
}

export type ShownInvite = InviteRow & { readonly inviter_name: string | null };

/** Newest first. */
export async function listInvites(db: Database, offset: number, limit: number): Promise<ShownInvite[]> {
  return invites(db.read).orderBy('invites.invite_id', 'desc').offset(offset).limit(limit).execute();
}

export async function countInvites(db: Database): Promise<number> {
  const row = await db.read
    .selectFrom('invites')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** An invitation that can be accepted now. */
export async function findOpenInvite(db: Database, tokenHash: Buffer, now: number): Promise<InviteRow | undefined> {
  return db.read
    .selectFrom('invites')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function findInvite(tx: Transact, inviteId: string): Promise<InviteRow | undefined> {
  return tx.selectFrom('invites').selectAll().where('invite_id', '=', inviteId).executeTakeFirst();
}

/** Also revokes expired ones, but returns only ids of the others. */
export async function revokeInvites(
  tx: Transact,
  of: Pick<InviteRow, 'email_key'> | { readonly invited_by: string },
  now: number,
): Promise<string[]> {
  const rows = await tx
    .updateTable('invites')
    .set({ revoked_at: now })
    .where((eb) => eb.and(of))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(['invite_id', 'expires_at'])
    .execute();
  return rows.filter((row) => row.expires_at > now).map(({ invite_id }) => invite_id);
}

/** Returns false if the invitation is no longer open. */
export async function closeInvite(
  tx: Transact,
  inviteId: string,
  how: Pick<InviteRow, 'accepted_at' | 'accepted_by'> | Pick<InviteRow, 'revoked_at'>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invites')
    .set(how)
    .where('invite_id', '=', inviteId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
