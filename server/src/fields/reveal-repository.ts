import { type Database, type Transact, dialectOf } from '../db/database.ts';
import { counterLock } from '../db/locks.ts';
import { prepared } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';
import { columnsOfAuditRow } from '../audit/audit-log.ts';
import { type CountedInOne, oneMore, otherParts } from '../platform/passwords/attempts-repository.ts';

export async function findRevision({ read }: Pick<Database, 'read'>, fieldId: string, rev: number) {
  return REVISION.first(read, { fieldId, rev });
}

const REVISION = prepared((db, given: { readonly fieldId: string; readonly rev: number }) =>
  db
    .selectFrom('field_revisions')
    .select(['rev', 'crypto_profile', 'gk_version', 'cek_wrapped', 'value', 'body_sha256', 'body_size', 'site'])
    .where('field_id', '=', given.fieldId)
    .where('rev', '=', given.rev),
);

/** Returns null for rows without revision, such as `moved`. */
export async function findRevOfHistoryRow(db: Database, fieldId: string, logId: string): Promise<number | null> {
  const row = await db.read
    .selectFrom('field_history')
    .select('rev')
    .where('field_edit_log_id', '=', logId)
    .where('field_id', '=', fieldId)
    .where('event_type', 'in', ['created', 'updated'])
    .executeTakeFirst();
  return row?.rev ?? null;
}

interface FieldIds {
  readonly groupId: string;
  readonly entryId: string;
  readonly fieldId: string;
}

/** With the person's role; undefined if the field is no longer at that path. */
export async function findFieldWithRole(tx: Transact, userId: string, place: FieldIds) {
  return FIELD_WITH_ROLE.first(tx, { userId, ...place });
}

const fieldWithRole = (db: Pick<Transact, 'selectFrom'>, given: FieldIds & { readonly userId: string }) =>
  db
    .selectFrom('fields')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', given.userId),
    )
    .select('group_members.role')
    .where('fields.field_id', '=', given.fieldId)
    .where('fields.trashed_by', 'is', null)
    .where('entries.entry_id', '=', given.entryId)
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.entry_group_id', '=', given.groupId)
    .where('entry_groups.trashed_by', 'is', null);

const FIELD_WITH_ROLE = prepared((db, given: FieldIds & { readonly userId: string }) =>
  fieldWithRole(db, given)
    .leftJoin('users as creator', 'creator.user_id', 'fields.created_by')
    .select([
      'entry_groups.gk_version',
      'fields.type',
      'fields.rev',
      'fields.title',
      'fields.login',
      'fields.file_name',
    ])
    .select(['fields.created_at', 'fields.created_by', 'creator.name as creator_name']),
);

export type Revision = NonNullable<Awaited<ReturnType<typeof findRevisionAndLock>>>;

type RevisionIds = FieldIds & { readonly userId: string; readonly revision: number };

/**
 * Like `findFieldWithRole`, with one sealed revision. Also locks the counter (`lockCounter`), unless nothing is found: in the same statement, which
 * saves PostgreSQL a round trip (ADR 11).
 */
export async function findRevisionAndLock(tx: Transact, given: RevisionIds & { readonly counter: string }) {
  const query = dialectOf(tx) === 'postgres' ? REVISION_AND_LOCK : REVISION_WITH_ROLE;
  return query.first(tx, given);
}

const revisionWithRole = (db: Pick<Transact, 'selectFrom'>, given: RevisionIds) =>
  fieldWithRole(db, given)
    .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
    .select(['field_revisions.rev', 'field_revisions.gk_version'])
    .select([
      'field_revisions.cek_wrapped',
      'field_revisions.value',
      'field_revisions.body_size',
      'field_revisions.site',
    ])
    .where('field_revisions.rev', '=', given.revision);

const REVISION_WITH_ROLE = prepared(revisionWithRole);

const REVISION_AND_LOCK = prepared((db, given: RevisionIds & { readonly counter: string }) =>
  revisionWithRole(db, given).select(counterLock(given.counter)),
);

export async function insertHistoryRow(tx: Transact, row: Tables['field_history']): Promise<void> {
  await HISTORY_ROW.all(tx, row);
}

const HISTORY_ROW = prepared(historyRow);

function historyRow(db: Pick<Transact, 'insertInto'>, given: Tables['field_history']) {
  const { field_edit_log_id, field_id, event_type, rev, user_id, created_at } = given;
  const { purpose = null, label = null, via = null } = given;
  const row = { field_edit_log_id, field_id, event_type, rev, user_id, purpose, label, via, created_at };
  return db.insertInto('field_history').values(row);
}

type RevealRows = Tables['field_history'] &
  Omit<Tables['audit_log'], 'event_type'> &
  CountedInOne & { readonly audit_event: Tables['audit_log']['event_type'] };

/**
 * Inserts the rows of a reveal and counts it, in one statement (PostgreSQL only, ADR 11). Returns the number of counted
 * reveals. The counter must be locked.
 */
export async function insertRevealAtOnce(tx: Transact, rows: RevealRows): Promise<number> {
  const counted = await REVEAL_AT_ONCE.first(tx, rows);
  if (counted === undefined) throw new Error('The reveal was not counted.');
  return Number(counted.reveals);
}

const REVEAL_AT_ONCE = prepared((db, given: RevealRows) =>
  db
    .with('history', (cte) => historyRow(cte, given))
    .with('event', (cte) =>
      cte.insertInto('audit_log').values({ ...columnsOfAuditRow(given), event_type: given.audit_event }),
    )
    .with('counted', (cte) => oneMore(cte, given).returning('failures'))
    .with('others', (cte) => otherParts(cte, given))
    .selectFrom(['counted', 'others'])
    .select((eb) => eb('counted.failures', '+', eb.ref('others.failures')).as('reveals')),
);
