import type { Role } from '@passwordbroker/core/domain/policy';
import type { Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';
import { preparedAmong, preparedList } from '../db/prepared.ts';
import { deleteSharedGroups } from '../invites/invite-group-repository.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Caller } from '../http/context.ts';
import { hashOfRow, rosterConflict } from '../groups/signed-roster.ts';
import type { PlannedChange } from './check-member-change.ts';

/** Also changes the role in grants. */
async function updateRole(
  tx: Transact,
  { groupId, userId, role, now }: { groupId: string; userId: string; role: Role; now: number },
): Promise<void> {
  await tx
    .updateTable('group_members')
    .set({ role, updated_at: now })
    .where('entry_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .execute();
  await tx
    .updateTable('group_grants')
    .set({ role })
    .where('entry_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .execute();
}

async function insertGrants(tx: Transact, rows: readonly Tables['group_grants'][]): Promise<void> {
  for (const portion of portions(rows)) await tx.insertInto('group_grants').values(portion).execute();
}

/** Also deletes all grants. */
export async function deleteMember(tx: Transact, groupId: string, userId: string): Promise<void> {
  for (const table of ['group_grants', 'group_members'] as const) {
    await tx.deleteFrom(table).where('entry_group_id', '=', groupId).where('user_id', '=', userId).execute();
  }
}

/** The removed person still knows the key. */
export async function markRotationDue(tx: Transact, groupId: string): Promise<void> {
  await tx.updateTable('entry_groups').set({ rotation_due: 1 }).where('entry_group_id', '=', groupId).execute();
}

/** False if it does not follow the newest. @param former signer of the newest */
export async function appendRoster(
  tx: Transact,
  row: Tables['group_rosters'],
  former: { readonly signerFingerprint: string } | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('entry_groups')
    .set({ roster_seq: row.seq })
    .where('entry_group_id', '=', row.entry_group_id)
    .where('roster_seq', 'is not distinct from', row.seq === 0 ? null : row.seq - 1)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx.insertInto('group_rosters').values(row).execute();
  // Otherwise the signer still signs the newest roster.
  if (former !== null && former.signerFingerprint !== row.signer_fpr) await forgetSigner(tx, former.signerFingerprint);
  return true;
}

/**
 * Deletes the certificate of a deleted account that signed no group's newest roster (docs/spec/crypto.md §9).
 */
async function forgetSigner(tx: Transact, fingerprint: string): Promise<void> {
  await tx
    .deleteFrom('user_certificates')
    .where('fpr', '=', fingerprint)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('users').select('users.user_id').whereRef('users.user_id', '=', 'user_certificates.user_id'),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('group_rosters')
            .innerJoin('entry_groups', (join) =>
              join
                .onRef('entry_groups.entry_group_id', '=', 'group_rosters.entry_group_id')
                .onRef('entry_groups.roster_seq', '=', 'group_rosters.seq'),
            )
            .select('group_rosters.seq')
            .whereRef('group_rosters.signer', '=', 'user_certificates.user_id')
            .whereRef('group_rosters.signer_fpr', '=', 'user_certificates.fpr'),
        ),
      ),
    )
    .execute();
}

/** Returns false after a concurrent rotation. */
export async function appendKey(
  tx: Transact,
  { key, grants }: { readonly key: Tables['group_keys']; readonly grants: readonly Tables['group_grants'][] },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('entry_groups')
    .set({ gk_version: key.gk_version, origin: 'client', rotation_due: 0 })
    .where('entry_group_id', '=', key.entry_group_id)
    .where('gk_version', '=', key.gk_version - 1)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx.insertInto('group_keys').values(key).execute();
  await insertGrants(tx, grants);
  return true;
}

/** Of different groups. @throws AppError `roster_conflict` if one has changed since planning */
export async function writePlanned(tx: Transact, planned: readonly PlannedChange[]): Promise<void> {
  const added = planned.flatMap(({ newRows }) => (newRows === null ? [] : [newRows]));
  await MEMBERS(
    tx,
    added.map(({ member }) => member),
  );
  await GRANTS(
    tx,
    added.map(({ grant }) => grant),
  );
  await deleteSharedGroups(
    tx,
    added.map(({ member }) => member),
  );
  for (const { change, before, now } of planned) {
    const { groupId, targetId: userId, role } = change;
    if (before !== null) await updateRole(tx, { groupId, userId, role, now });
  }
  await appendRosters(
    tx,
    planned.flatMap(({ rosterRow }) => (rosterRow === null ? [] : [rosterRow])),
  );
}

type RosterRow = NonNullable<PlannedChange['rosterRow']>;

async function appendRosters(tx: Transact, rosterRows: readonly RosterRow[]): Promise<void> {
  if (rosterRows.length === 0) return;
  const moved = await MOVED_ON(
    tx,
    rosterRows.map(({ row }) => row.entry_group_id),
  );
  const seqs = new Map(moved.map(({ entry_group_id, roster_seq }) => [entry_group_id, roster_seq]));
  for (const { row } of rosterRows) if (seqs.get(row.entry_group_id) !== row.seq) throw rosterConflict(null);
  await ROSTERS(
    tx,
    rosterRows.map(({ row }) => row),
  );
  const former = rosterRows.filter(({ row, formerFingerprint }) => row.signer_fpr !== formerFingerprint);
  for (const fingerprint of new Set(former.map(({ formerFingerprint }) => formerFingerprint)))
    await forgetSigner(tx, fingerprint);
}

export function eventOf(caller: Caller, { change, before, rosterRow }: PlannedChange): AuditEntry {
  const { groupId, targetId, role } = change;
  const details = {
    user_id: targetId,
    role,
    ...(before === null ? {} : { from: before }),
    ...(rosterRow === null ? {} : { roster_hash: hashOfRow(rosterRow.row) }),
  };
  const event_type = before === null ? 'role_granted' : 'role_changed';
  return { event_type, ...caller, target_type: 'entry_group', target_id: groupId, details };
}

type Rows<Table extends keyof Tables> = readonly Tables[Table][];

const MEMBERS = preparedList((db, rows: Rows<'group_members'>) =>
  db.insertInto('group_members').values(rows.map(memberOf)),
);

function memberOf({ id, entry_group_id, user_id, role, created_at, updated_at }: Tables['group_members']) {
  return { id, entry_group_id, user_id, role, created_at, updated_at };
}

const GRANTS = preparedList((db, rows: Rows<'group_grants'>) =>
  db.insertInto('group_grants').values(rows.map(grantOf)),
);

function grantOf(grant: Tables['group_grants']) {
  const { entry_group_id, gk_version, user_id, alg, wrapped, role, recipient_fpr, granted_by, created_at } = grant;
  return { entry_group_id, gk_version, user_id, alg, wrapped, role, recipient_fpr, granted_by, created_at };
}

const MOVED_ON = preparedAmong((db, ids) =>
  db
    .updateTable('entry_groups')
    .set((eb) => ({ roster_seq: eb('roster_seq', '+', 1) }))
    .where('entry_group_id', 'in', ids)
    .returning(['entry_group_id', 'roster_seq']),
);

const ROSTERS = preparedList((db, rows: Rows<'group_rosters'>) =>
  db.insertInto('group_rosters').values(rows.map(rosterOf)),
);

function rosterOf(roster: Tables['group_rosters']) {
  const { entry_group_id, seq, bytes, sig, signer, signer_fpr, created_at, proof, proof_prev } = roster;
  return { entry_group_id, seq, bytes, sig, signer, signer_fpr, created_at, proof, proof_prev };
}
