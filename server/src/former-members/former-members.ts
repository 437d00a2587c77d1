import type { FormerMember, KnownSecret } from '@passwordbroker/core/contract/groups/members';
import { AppError } from '@passwordbroker/core/contract/problem';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import type { Database, Transact } from '../db/database.ts';
import { type PageQuery, pageOf, spanOf } from '../operations/page.ts';
import {
  type DepartureRow,
  countDepartures,
  listDepartures,
  type SecretRow,
  listDepartureSecrets,
  listMemberSecrets,
  deleteReleases,
  insertDepartures,
  insertKnownSecrets,
  listRolesOf,
  findName,
} from './former-member-repository.ts';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { Deps } from '../http/context.ts';

const time = (ms: number) => new Date(ms).toISOString();

type Of = Parameters<typeof countDepartures>[1];

/** Lists former members of groups, newest first (docs/spec/crypto.md §12). */
export async function departuresPage(db: Database, of: Of, callerId: string, query: PageQuery) {
  const [rows, total] = await Promise.all([
    listDepartures(db, of, { callerId, ...spanOf(query) }),
    countDepartures(db, of),
  ]);
  return pageOf(rows.map(asDeparture), total, query);
}

/** @throws AppError `not_found` */
export async function departureWithSecrets(
  db: Database,
  {
    groupId,
    departureId,
    callerId,
  }: { readonly groupId: string; readonly departureId: string; readonly callerId: string },
): Promise<{ departure: FormerMember; rows: KnownSecret[] }> {
  const [row] = await listDepartures(db, { groupId, departureId }, { callerId, offset: 0, limit: 1 });
  if (row === undefined) throw new AppError('not_found');
  return { departure: asDeparture(row), rows: inOrder(await listDepartureSecrets(db, departureId, callerId)) };
}

export async function secretsOfMember(
  db: Database,
  { groupId, userId, callerId }: { readonly groupId: string; readonly userId: string; readonly callerId: string },
): Promise<KnownSecret[]> {
  return inOrder(await listMemberSecrets(db, groupId, userId, callerId));
}

function asDeparture(row: DepartureRow): FormerMember {
  return {
    departure_id: row.departure_id,
    entry_group: { entry_group_id: row.entry_group_id, name: row.group_name },
    user: { user_id: row.present_user_id, name: row.user_name },
    left_at: time(row.left_at),
    cause: row.cause,
    role: row.role,
    open: Number(row.open ?? 0),
    total: Number(row.total ?? 0),
  };
}

function asSecret(row: SecretRow): KnownSecret {
  return {
    entry: { entry_id: row.entry_id, entry_group_id: row.entry_group_id, title: row.entry_title },
    field: { field_id: row.field_id, title: row.title, type: row.type },
    rev: row.rev,
    opened_at: time(row.opened_at),
    how: row.how,
    user_application_id: row.how === 'offline' ? row.user_application_id : null,
    changed: row.present_rev > row.rev,
    trashed: row.field_trashed_by !== null || row.entry_trashed_by !== null,
  };
}

/** Secrets in the trash come last, before them those that have changed. */
function inOrder(rows: readonly SecretRow[]): KnownSecret[] {
  const byTitle = (a: KnownSecret, b: KnownSecret) =>
    compareTitles({ title: a.entry.title, id: a.entry.entry_id }, { title: b.entry.title, id: b.entry.entry_id }) ||
    compareTitles({ title: a.field.title, id: a.field.field_id }, { title: b.field.title, id: b.field.field_id });
  const rank = ({ trashed, changed }: KnownSecret) => Number(trashed) * 2 + Number(changed);
  return rows.map(asSecret).sort((a, b) => rank(a) - rank(b) || byTitle(a, b));
}

interface Leaving {
  readonly userId: string;
  /** Absent: all groups of the person, including the trash. */
  readonly groupIds?: readonly string[];
  readonly cause: Tables['departures']['cause'];
}

/** Records which secrets the person knows. Call before memberships, history or account are deleted. */
export async function recordDeparture(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  { userId, groupIds, cause }: Leaving,
): Promise<void> {
  const name = await findName(tx, userId);
  if (name === undefined) return;
  const left = { user_id: userId, user_name: name, cause, left_at: deps.clock.now() };
  const roles = await listRolesOf(tx, userId);
  for (const portion of portions(groupIds ?? [...roles.keys()])) {
    const rows = portion.map((entry_group_id) => ({
      departure_id: deps.newId(),
      entry_group_id,
      ...left,
      role: roles.get(entry_group_id) ?? null,
    }));
    await insertDepartures(tx, rows);
    await insertKnownSecrets(tx, userId, rows);
    await deleteReleases(tx, userId, portion);
  }
}
