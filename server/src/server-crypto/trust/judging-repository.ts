import type { Grant } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { CertificateWire } from '@passwordbroker/core/domain/keyring/certificate';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { CertifiedRoster } from '@passwordbroker/core/domain/trust/shown-group';
import type { Selectable } from 'kysely';
import type { Database } from '../../db/database.ts';
import { portions } from '../../db/portions.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { asGrant } from '../../groups/group-answers.ts';
import { listOwnGrants, listRosterRows, undisturbed } from '../../groups/key-repository.ts';
import { asCertificate } from '../../users/keys/key-repository.ts';

type RosterRow = Selectable<Tables['group_rosters']>;

export interface GroupToJudge {
  readonly path: readonly string[];
  readonly answer: {
    readonly gk_version: number;
    readonly origin: 'client' | 'server';
    readonly rosters: readonly CertifiedRoster[];
    /** Of every version in use. */
    readonly grants: readonly Grant[];
  };
  /** Present and former ones of all signers. */
  readonly certificates: readonly CertificateWire[];
}

/**
 * Reads one consistent state. @throws AppError `not_found`
 * @param from sequence number of the first list; null for the newest alone
 */
export async function readGroupRows(
  db: Database,
  { groupId, userId, from }: { groupId: string; userId: string; from: number | null },
): Promise<GroupToJudge> {
  const path = listNamesOnPath(db, groupId);
  path.catch(() => {});
  const { answer, certificates } = await undisturbed(db, groupId, async ({ gk_version, origin }) => {
    const [grants, rows] = await Promise.all([
      listOwnGrants(db, groupId, userId),
      listRosterRows(db, groupId, from ?? undefined),
    ]);
    const signed = await asSignedRosters(db, rows);
    const { rosters } = signed;
    return { answer: { gk_version, origin, rosters, grants: grants.map(asGrant) }, certificates: signed.certificates };
  });
  return { path: await path, answer, certificates };
}

async function asSignedRosters(db: Database, rows: readonly RosterRow[]) {
  const certificates = await listEveryCertificate(db, [...new Set(rows.map(({ signer }) => signer))]);
  const byFingerprint = new Map(certificates.map((certificate) => [certificate.fpr, certificate]));
  const rosters = rows.map((row) => asSignedRoster(row, byFingerprint.get(row.signer_fpr) ?? null));
  return { rosters, certificates };
}

export const asSignedRoster = (
  { bytes, sig, proof, proof_prev }: Pick<RosterRow, 'bytes' | 'sig' | 'proof' | 'proof_prev'>,
  signer_certificate: CertificateWire | null,
): CertifiedRoster => ({
  roster_base64: bytes.toString('base64'),
  roster_sig_base64: sig.toString('base64'),
  roster_proof_base64: proof?.toString('base64') ?? null,
  roster_proof_prev_base64: proof_prev?.toString('base64') ?? null,
  signer_certificate,
});

/** Present and former ones. */
export async function listEveryCertificate(db: Database, userIds: readonly string[]) {
  if (userIds.length === 0) return [];
  const rows = await db.read.selectFrom('user_certificates').selectAll().where('user_id', 'in', userIds).execute();
  return rows.map(asCertificate);
}

export function byUserId<T extends { readonly user_id: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(row.user_id, [...(groups.get(row.user_id) ?? []), row]);
  return groups;
}

/** Names from the root to the group. @throws AppError `not_found` */
export async function listNamesOnPath(db: Database, groupId: string): Promise<readonly string[]> {
  const group = await db.read
    .selectFrom('entry_groups')
    .select(['name', 'materialized_path'])
    .where('entry_group_id', '=', groupId)
    .executeTakeFirst();
  if (group === undefined) throw new AppError('not_found');
  const above = group.materialized_path.split('.').slice(0, -1);
  if (above.length === 0) return [group.name];
  const rows = await db.read
    .selectFrom('entry_groups')
    .select(['entry_group_id', 'name'])
    .where('entry_group_id', 'in', above)
    .execute();
  const names = new Map(rows.map(({ entry_group_id, name }) => [entry_group_id, name]));
  return [...above.map((id) => names.get(id) ?? ''), group.name];
}

/** `present` is null for a person without keys. */
export interface ListedMember {
  readonly userId: string;
  readonly role: Role;
  readonly name: string;
  readonly present: CertificateWire | null;
  readonly certificates: readonly CertificateWire[];
}

export async function listMembersWithKeys(db: Database, groupId: string): Promise<ListedMember[]> {
  const [members, certificates] = await Promise.all([
    db.read
      .selectFrom('group_members')
      .innerJoin('users', 'users.user_id', 'group_members.user_id')
      .leftJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
      .select(['group_members.user_id', 'group_members.role', 'users.name', 'user_keysets.fpr'])
      .where('group_members.entry_group_id', '=', groupId)
      .execute(),
    db.read
      .selectFrom('user_certificates')
      .innerJoin('group_members', 'group_members.user_id', 'user_certificates.user_id')
      .selectAll('user_certificates')
      .where('group_members.entry_group_id', '=', groupId)
      .execute(),
  ]);
  const byUser = byUserId(certificates.map(asCertificate));
  return members.map(({ user_id: userId, role, name, fpr }) => {
    const own = byUser.get(userId) ?? [];
    return { userId, role, name, present: own.find((one) => one.fpr === fpr) ?? null, certificates: own };
  });
}

export async function findName(db: Database, userId: string): Promise<string> {
  const row = await db.read.selectFrom('users').select('name').where('user_id', '=', userId).executeTakeFirst();
  return row?.name ?? '';
}

/** Groups outside the trash with their newest list (columns null without one), by group id. */
export async function listNewestLists(db: Database, userId: string) {
  return db.read
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .leftJoin('group_rosters', (join) =>
      join
        .onRef('group_rosters.entry_group_id', '=', 'entry_groups.entry_group_id')
        .onRef('group_rosters.seq', '=', 'entry_groups.roster_seq'),
    )
    .select(['entry_groups.entry_group_id', 'entry_groups.materialized_path', 'entry_groups.gk_version'])
    .select(['entry_groups.origin', 'group_members.role', 'group_rosters.seq', 'group_rosters.bytes'])
    .select(['group_rosters.sig', 'group_rosters.signer', 'group_rosters.signer_fpr'])
    .where('group_members.user_id', '=', userId)
    .where('entry_groups.trashed_by', 'is', null)
    .orderBy('entry_groups.entry_group_id')
    .execute();
}

/** Names by id. */
export async function listNames(
  db: Database,
  { groupIds, userIds }: { groupIds: readonly string[]; userIds: readonly string[] },
) {
  const names = new Map<string, string>();
  for (const portion of portions(groupIds)) {
    const rows = await db.read
      .selectFrom('entry_groups')
      .select(['entry_group_id', 'name'])
      .where('entry_group_id', 'in', portion)
      .execute();
    for (const row of rows) names.set(row.entry_group_id, row.name);
  }
  for (const portion of portions(userIds)) {
    const rows = await db.read
      .selectFrom('users')
      .select(['user_id', 'name'])
      .where('user_id', 'in', portion)
      .execute();
    for (const row of rows) names.set(row.user_id, row.name);
  }
  return names;
}
