import type { EntryGroup, Grant, GroupAnswer, GroupUser, Roster } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database } from '../db/database.ts';
import type { Deps } from '../http/context.ts';
import { findGroup } from '../http/auth/path-repository.ts';
import { asCertificate } from '../users/keys/key-repository.ts';
import { type GroupRow, listMembers, type MemberRow } from './group-repository.ts';
import type { listOwnGrants, listRosters } from './key-repository.ts';

const time = (ms: number) => new Date(ms).toISOString();

export function asEntryGroup(row: GroupRow, role: Role): EntryGroup {
  return {
    entry_group_id: row.entry_group_id,
    parent_entry_group_id: row.parent_entry_group_id,
    name: row.name,
    title: row.name,
    materialized_path: row.materialized_path,
    role,
    gk_version: row.gk_version,
    rotation_due: row.rotation_due === 1,
    origin: row.origin,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  };
}

/** Admins are never service accounts. */
type AnyMember = Omit<MemberRow, 'kind' | 'owner_name'> & Partial<Pick<MemberRow, 'kind' | 'owner_name'>>;

export function asGroupUser(row: AnyMember): GroupUser {
  return {
    id: row.id,
    entry_group_id: row.entry_group_id,
    user_id: row.user_id,
    role: row.role,
    fpr: row.fpr,
    user: {
      user_id: row.user_id,
      name: row.name,
      ...(row.kind === 'service' ? { kind: row.kind, owner_name: row.owner_name ?? null } : {}),
    },
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  };
}

export async function groupAnswer(db: Database, group: GroupRow, role: Role, userId: string): Promise<GroupAnswer> {
  const members = (await listMembers(db, group.entry_group_id, { adminsAnd: userId })).map(asGroupUser);
  const own = members.find((member) => member.user_id === userId);
  if (own === undefined) throw new AppError('forbidden');
  const admins = members.filter((member) => member.role === 'admin').sort(byName);
  return { entryGroup: asEntryGroup(group, role), role: own, admins };
}

/** @throws AppError `not_found` if group or role are gone */
export async function readBack(deps: Pick<Deps, 'db'>, groupId: string, userId: string): Promise<GroupAnswer> {
  const group = await findGroup(deps.db, groupId, userId);
  if (group === undefined || group.role === null) throw new AppError('not_found');
  return groupAnswer(deps.db, group, group.role, userId);
}

const RANK: Record<Role, number> = { admin: 0, moderator: 1, member: 2 };
const byName = (a: GroupUser, b: GroupUser) =>
  compareTitles({ title: a.user.name, id: a.user_id }, { title: b.user.name, id: b.user_id });
export const byRoleAndName = (a: GroupUser, b: GroupUser) => RANK[a.role] - RANK[b.role] || byName(a, b);

export function asRoster(row: Awaited<ReturnType<typeof listRosters>>[number]): Roster {
  return {
    entry_group_id: row.entry_group_id,
    seq: row.seq,
    roster_base64: row.bytes.toString('base64'),
    roster_sig_base64: row.sig.toString('base64'),
    roster_proof_base64: row.proof?.toString('base64') ?? null,
    roster_proof_prev_base64: row.proof_prev?.toString('base64') ?? null,
    signer: row.signer,
    signer_certificate: row.certificate === null ? null : asCertificate(row.certificate),
    created_at: time(row.created_at),
  };
}

export function asGrant(row: Awaited<ReturnType<typeof listOwnGrants>>[number]): Grant {
  return {
    entry_group_id: row.entry_group_id,
    user_id: row.user_id,
    role: row.role,
    gk_version: row.gk_version,
    alg: row.alg,
    encrypted_aes_password_base64: row.wrapped.toString('base64'),
    recipient_fpr: row.recipient_fpr,
    granted_by: row.granted_by,
  };
}
