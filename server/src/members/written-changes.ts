import type { Transact } from '../db/database.ts';
import { preparedAmong, preparedList } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Caller } from '../operations/caller.ts';
import { hashOfRow, rosterConflict } from '../groups/signed-roster.ts';
import { forgetSigner, updateRole } from './change-repository.ts';
import type { PlannedChange } from './planned-change.ts';

/** Of different groups. @throws AppError `roster_conflict` if one has changed since planning */
export async function writePlanned(tx: Transact, planned: readonly PlannedChange[]): Promise<void> {
  const admissions = planned.flatMap(({ admission }) => (admission === null ? [] : [admission]));
  await MEMBERS(
    tx,
    admissions.map(({ member }) => member),
  );
  await GRANTS(
    tx,
    admissions.map(({ grant }) => grant),
  );
  for (const { change, before, now } of planned) {
    const { groupId, targetId: userId, role } = change;
    if (before !== null) await updateRole(tx, { groupId, userId, role, now });
  }
  await appendRosters(
    tx,
    planned.flatMap(({ signing }) => (signing === null ? [] : [signing])),
  );
}

type Signing = NonNullable<PlannedChange['signing']>;

async function appendRosters(tx: Transact, signings: readonly Signing[]): Promise<void> {
  if (signings.length === 0) return;
  const moved = await MOVED_ON(
    tx,
    signings.map(({ row }) => row.entry_group_id),
  );
  const seqs = new Map(moved.map(({ entry_group_id, roster_seq }) => [entry_group_id, roster_seq]));
  for (const { row } of signings) if (seqs.get(row.entry_group_id) !== row.seq) throw rosterConflict(null);
  await ROSTERS(
    tx,
    signings.map(({ row }) => row),
  );
  const former = signings.filter(({ row, formerFingerprint }) => row.signer_fpr !== formerFingerprint);
  for (const fingerprint of new Set(former.map(({ formerFingerprint }) => formerFingerprint)))
    await forgetSigner(tx, fingerprint);
}

export function eventOf(caller: Caller, { change, before, signing }: PlannedChange): AuditEntry {
  const { groupId, targetId, role } = change;
  const details = {
    user_id: targetId,
    role,
    ...(before === null ? {} : { from: before }),
    ...(signing === null ? {} : { roster_hash: hashOfRow(signing.row) }),
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
