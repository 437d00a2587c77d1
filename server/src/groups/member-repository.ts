import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database, Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { Recipient } from './create/grant-checks.ts';

/** @param only limits to admins and one person */
export async function listMembers(db: Database, groupId: string, only?: { readonly adminsAnd: string }) {
  let query = db.read
    .selectFrom('group_members')
    .innerJoin('users', 'users.user_id', 'group_members.user_id')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
    .selectAll('group_members')
    .select(['users.name', 'user_keysets.fpr'])
    .where('group_members.entry_group_id', '=', groupId);
  if (only !== undefined) {
    query = query.where((eb) =>
      eb.or([eb('group_members.role', '=', 'admin'), eb('group_members.user_id', '=', only.adminsAnd)]),
    );
  }
  return query.execute();
}

export async function findMember(db: Database, groupId: string, userId: string): Promise<MemberRow | undefined> {
  return db.read
    .selectFrom('group_members')
    .innerJoin('users', 'users.user_id', 'group_members.user_id')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
    .selectAll('group_members')
    .select(['users.name', 'user_keysets.fpr'])
    .where('group_members.entry_group_id', '=', groupId)
    .where('group_members.user_id', '=', userId)
    .executeTakeFirst();
}

export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number];

export async function listMemberCertificates(db: Database, groupId: string) {
  return db.read
    .selectFrom('group_members')
    .innerJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
    .innerJoin('user_certificates', 'user_certificates.fpr', 'user_keysets.fpr')
    .selectAll('user_certificates')
    .where('group_members.entry_group_id', '=', groupId)
    .execute();
}

export async function listRoles(tx: Transact, groupId: string): Promise<{ user_id: string; role: Role }[]> {
  return tx.selectFrom('group_members').select(['user_id', 'role']).where('entry_group_id', '=', groupId).execute();
}

/** Leaves out people without keys. */
export async function listRecipients(tx: Transact, userIds: readonly string[]): Promise<Map<string, Recipient>> {
  const recipients = new Map<string, Recipient>();
  for (const portion of portions(userIds)) {
    const rows = await tx
      .selectFrom('user_keysets')
      .innerJoin('user_certificates', 'user_certificates.fpr', 'user_keysets.fpr')
      .select(['user_keysets.user_id', 'user_keysets.fpr', 'user_certificates.rsa_spki'])
      .where('user_keysets.user_id', 'in', portion)
      .execute();
    for (const row of rows) recipients.set(row.user_id, { fingerprint: row.fpr, bits: modulusBits(row.rsa_spki) });
  }
  return recipients;
}

/** Stored keys are checked, so length determines the modulus (docs/spec/crypto.md §7). */
const modulusBits = (spki: Buffer) => (spki.length < 500 ? 3072 : 4096);

export async function insertMembers(tx: Transact, rows: readonly Tables['group_members'][]): Promise<void> {
  for (const portion of portions(rows)) await tx.insertInto('group_members').values(portion).execute();
}
