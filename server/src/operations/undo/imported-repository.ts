/** What an import wrote into existing groups, and is still there. */
import { sql } from 'kysely';
import type { Role } from '@passwordbroker/core/domain/policy';
import { can } from '@passwordbroker/core/domain/policy';
import type { Transact } from '../../db/database.ts';
import { portions } from '../../db/portions.ts';
import { columnsAsMade } from '../../fields/field-repository.ts';
import { entriesTouchedByOthers, readSubtrees } from '../trash/subtree-repository.ts';
import type { Things } from '../trash/trash-repository.ts';

interface Imported {
  /** Groups with everything below; `tops` are the topmost ones. */
  readonly own: Things & { readonly tops: readonly string[] };
  /** What others have changed since, or the person may not delete any more. */
  readonly left: { readonly entry_groups: number; readonly entries: number; readonly fields: number };
}

/** Outside the trash. */
export async function listOwnImported(tx: Transact, operationId: string, userId: string): Promise<Imported> {
  const [tops, entries, fields] = [
    await listGroups(tx, operationId, userId),
    await listEntries(tx, operationId, userId),
    await listFields(tx, operationId, userId),
  ];
  const deletable = tops.flatMap(({ id, role }) => (can(role, 'group.delete') ? [id] : []));
  const unchanged = [...(await readSubtrees(tx, deletable, userId))].filter(([, { isChanged }]) => !isChanged);
  // A top may have been moved below another one.
  const inOwn = new Set(unchanged.flatMap(([, { living }]) => living));
  const own = { tops: unchanged.map(([id]) => id), groups: [...inOwn] };
  const inGroups = entries.filter(({ group_id }) => !inOwn.has(group_id));
  const ownEntries = await notOfOthers(tx, inGroups, userId);
  const gone = new Set([...ownEntries, ...entries.flatMap(({ id, group_id }) => (inOwn.has(group_id) ? [id] : []))]);
  const remaining = fields.filter(({ entry_id, group_id }) => !gone.has(entry_id) && !inOwn.has(group_id));
  const ownFields = await fieldsNotOfOthers(tx, remaining, userId);
  return {
    own: { ...own, entries: ownEntries, fields: ownFields },
    left: {
      entry_groups: tops.length - own.tops.length,
      entries: inGroups.length - ownEntries.length,
      fields: remaining.length - ownFields.length,
    },
  };
}

const mayWrite = ({ role }: { readonly role: Role | null }) => can(role, 'entry.write');

async function notOfOthers(tx: Transact, entries: Awaited<ReturnType<typeof listEntries>>, userId: string) {
  const ids = entries.map(({ id }) => id);
  const touched = await entriesTouchedByOthers(tx, ids, userId);
  return entries.filter((entry) => mayWrite(entry) && !touched.has(entry.id)).map(({ id }) => id);
}

async function fieldsNotOfOthers(tx: Transact, fields: Awaited<ReturnType<typeof listFields>>, userId: string) {
  const touched = new Set<string>();
  for (const portion of portions(fields)) {
    const rows = await tx
      .selectFrom('field_revisions')
      .select('field_id')
      .distinct()
      .where(
        'field_id',
        'in',
        portion.map(({ id }) => id),
      )
      .where('created_by', 'is distinct from', userId)
      .execute();
    for (const { field_id } of rows) touched.add(field_id);
  }
  return fields.filter((field) => mayWrite(field) && !touched.has(field.id)).map(({ id }) => id);
}

const ofKind = (tx: Transact, operationId: string, kind: 'entry_group' | 'entry' | 'field') =>
  tx.selectFrom('imported_rows').where('operation_id', '=', operationId).where('imported_rows.kind', '=', kind);

async function listGroups(tx: Transact, operationId: string, userId: string) {
  return ofKind(tx, operationId, 'entry_group')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'imported_rows.id')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select(['imported_rows.id', 'group_members.role'])
    .where('entry_groups.trashed_by', 'is', null)
    .orderBy('imported_rows.id')
    .execute();
}

async function listEntries(tx: Transact, operationId: string, userId: string) {
  return ofKind(tx, operationId, 'entry')
    .innerJoin('entries', 'entries.entry_id', 'imported_rows.id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entries.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select(['imported_rows.id', 'entries.entry_group_id as group_id', 'group_members.role'])
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.trashed_by', 'is', null)
    .orderBy('imported_rows.id')
    .execute();
}

async function listFields(tx: Transact, operationId: string, userId: string) {
  return ofKind(tx, operationId, 'field')
    .innerJoin('fields', 'fields.field_id', 'imported_rows.id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entries.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select(['imported_rows.id', 'fields.entry_id', 'entries.entry_group_id as group_id', 'group_members.role'])
    .where('fields.trashed_by', 'is', null)
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.trashed_by', 'is', null)
    .orderBy('imported_rows.id')
    .execute();
}

/** Fields that the import revised: `made` is its revision; `rev` is null for fields that are gone or in the trash. */
export async function listRevised(tx: Transact, operationId: string, userId: string) {
  return tx
    .selectFrom('imported_rows')
    .leftJoin('fields', (join) =>
      join.onRef('fields.field_id', '=', 'imported_rows.id').on('fields.trashed_by', 'is', null),
    )
    .leftJoin('entries', (join) =>
      join.onRef('entries.entry_id', '=', 'fields.entry_id').on('entries.trashed_by', 'is', null),
    )
    .leftJoin('entry_groups', (join) =>
      join
        .onRef('entry_groups.entry_group_id', '=', 'entries.entry_group_id')
        .on('entry_groups.trashed_by', 'is', null),
    )
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select((eb) => ['imported_rows.id as field_id', eb.ref('imported_rows.rev').$notNull().as('made')])
    .select(['fields.rev', 'fields.type', 'fields.entry_id', 'entry_groups.entry_group_id', 'entry_groups.gk_version'])
    .select('group_members.role')
    .where('imported_rows.operation_id', '=', operationId)
    .where('imported_rows.kind', '=', 'revision')
    .orderBy('imported_rows.id')
    .execute();
}

/** The fields become what their next revisions, already written, say. */
export async function setNextRevisionsOf(
  tx: Transact,
  fieldIds: readonly string[],
  { userId, now }: { readonly userId: string; readonly now: number },
): Promise<void> {
  await sql`update fields set ${columnsAsMade(userId, now)}
    from field_revisions as made
    where made.field_id = fields.field_id and made.rev = fields.rev + 1
      and fields.field_id in (${sql.join(fieldIds)})`.execute(tx);
}
