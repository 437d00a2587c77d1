/** Statements of an import into existing groups (ADR 16). */
import { sql } from 'kysely';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Transact } from '../../db/database.ts';
import { columnsAsMade } from '../../fields/field-repository.ts';

/**
 * Moves what was staged from the stand-ins into the groups that they stand for. Returns whether the tree became too deep
 * meanwhile.
 */
export async function moveStaged(tx: Transact, operationId: string): Promise<boolean> {
  const isStandIn = sql`place.trashed_by = ${operationId} and place.roster_seq is null`;
  await sql`update entries set entry_group_id = place.name from entry_groups as place
    where ${isStandIn} and entries.entry_group_id = place.entry_group_id`.execute(tx);
  await sql`update entry_search set entry_group_id = place.name, group_folded = target.name_folded
    from entry_groups as place join entry_groups as target on target.entry_group_id = place.name
    where ${isStandIn} and entry_search.entry_group_id = place.entry_group_id`.execute(tx);
  await sql`update entry_groups set materialized_path =
      target.materialized_path || substr(entry_groups.materialized_path, ${sql.lit(ID_LENGTH + 1)})
    from entry_groups as place join entry_groups as target on target.entry_group_id = place.name
    where ${isStandIn} and entry_groups.trashed_by = ${operationId} and entry_groups.roster_seq is not null
      and place.entry_group_id = substr(entry_groups.materialized_path, 1, ${sql.lit(ID_LENGTH)})`.execute(tx);
  await sql`update entry_groups set parent_entry_group_id = place.name from entry_groups as place
    where ${isStandIn} and entry_groups.trashed_by = ${operationId}
      and entry_groups.parent_entry_group_id = place.entry_group_id`.execute(tx);
  await tx.deleteFrom('entry_groups').where('trashed_by', '=', operationId).where('roster_seq', 'is', null).execute();
  const deep = await tx
    .selectFrom('entry_groups')
    .select('entry_group_id')
    .where('trashed_by', '=', operationId)
    .where((eb) => eb(eb.fn<number>('length', ['materialized_path']), '>', LIMITS.treeDepth * (ID_LENGTH + 1) - 1))
    .limit(1)
    .executeTakeFirst();
  return deep !== undefined;
}

const ID_LENGTH = 36;

interface NextRevisions {
  readonly operationId: string;
  readonly userId: string;
  readonly now: number;
}

/** The fields become what their new revisions say. */
export async function setNextRevisions(tx: Transact, { operationId, userId, now }: NextRevisions): Promise<void> {
  await sql`update fields set ${columnsAsMade(userId, now)}
    from imported_rows as own join field_revisions as made on made.field_id = own.id and made.rev = own.rev
    where own.operation_id = ${operationId} and own.kind = 'revision' and fields.field_id = own.id`.execute(tx);
}
