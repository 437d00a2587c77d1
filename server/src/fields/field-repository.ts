/** Lists read no sealed values, except for offline copies. */
import { sql } from 'kysely';
import type { Database, Transact } from '../db/database.ts';
import { prepared, preparedAmong } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';
import { insertHistoryRow } from './reveal-repository.ts';

const SHOWN = [
  'fields.field_id',
  'fields.entry_id',
  'fields.type',
  'fields.title',
  'fields.login',
  'fields.totp_hash_algorithm',
  'fields.totp_timeout',
  'fields.file_name',
  'fields.file_mime',
  'fields.file_size',
  'fields.rev',
  'fields.created_at',
  'fields.updated_at',
  'fields.created_by',
  'fields.updated_by',
] as const;

function shownFields(read: Database['read']) {
  return read
    .selectFrom('fields')
    .innerJoin('field_revisions', (join) =>
      join.onRef('field_revisions.field_id', '=', 'fields.field_id').onRef('field_revisions.rev', '=', 'fields.rev'),
    )
    .leftJoin('users as creator', 'creator.user_id', 'fields.created_by')
    .leftJoin('users as updater', 'updater.user_id', 'fields.updated_by')
    .select([...SHOWN])
    .select(['field_revisions.gk_version', 'creator.name as creator_name', 'updater.name as updater_name'])
    .where('fields.trashed_by', 'is', null);
}

export type ShownField = Awaited<ReturnType<typeof listFields>>[number];

/** @param entryIds distinct */
export async function listFields(db: Database, entryIds: readonly string[]) {
  return FIELDS(db.read, entryIds);
}

const FIELDS = preparedAmong((db, entryIds) => shownFields(db).where('fields.entry_id', 'in', entryIds));

export type SealedFieldRow = Awaited<ReturnType<typeof listSealedFields>>[number];

/** Includes the current envelopes. @param entryIds few enough for one statement */
export async function listSealedFields(read: Database['read'], entryIds: readonly string[]) {
  return shownFields(read)
    .select([
      'field_revisions.cek_wrapped',
      'field_revisions.value',
      'field_revisions.body_size',
      'field_revisions.site',
    ])
    .where('fields.entry_id', 'in', entryIds)
    .execute();
}

export async function findShownField(db: Database, fieldId: string): Promise<ShownField | undefined> {
  return SHOWN_FIELD.first(db.read, { fieldId });
}

const SHOWN_FIELD = prepared((db, given: { readonly fieldId: string }) =>
  shownFields(db).where('fields.field_id', '=', given.fieldId),
);

export async function isFieldIdTaken(tx: Transact, fieldId: string): Promise<boolean> {
  const row = await tx.selectFrom('fields').select('field_id').where('field_id', '=', fieldId).executeTakeFirst();
  return row !== undefined;
}

/** Inserts a field with its first revision. */
export async function insertField(
  tx: Transact,
  rows: {
    readonly field: Tables['fields'];
    readonly revision: Tables['field_revisions'];
    readonly history: Tables['field_history'];
  },
): Promise<void> {
  await tx.insertInto('fields').values(rows.field).execute();
  await REVISION.all(tx, rows.revision);
  await insertHistoryRow(tx, rows.history);
}

const REVISION = prepared((db, given: Tables['field_revisions']) => {
  const { field_id, rev, crypto_profile, gk_version, cek_wrapped, value, body_sha256, body_size } = given;
  const { title, login, totp_hash_algorithm, totp_timeout, file_name, file_mime, file_size } = given;
  const { site, author_sig, created_by, created_at } = given;
  const sealed = { crypto_profile, gk_version, cek_wrapped, value, body_sha256, body_size, site, author_sig };
  const columns = { title, login, totp_hash_algorithm, totp_timeout, file_name, file_mime, file_size };
  return db.insertInto('field_revisions').values({ field_id, rev, ...sealed, ...columns, created_by, created_at });
});

export async function findFieldInTransaction(tx: Transact, fieldId: string) {
  return LIVING.first(tx, { fieldId });
}

const LIVING = prepared((db, given: { readonly fieldId: string }) =>
  db
    .selectFrom('fields')
    .select(['field_id', 'entry_id', 'rev', 'title'])
    .where('field_id', '=', given.fieldId)
    .where('trashed_by', 'is', null),
);

export async function findBody(tx: Transact, fieldId: string, rev: number) {
  return tx
    .selectFrom('field_revisions')
    .select(['body_sha256', 'body_size', 'file_size'])
    .where('field_id', '=', fieldId)
    .where('rev', '=', rev)
    .executeTakeFirst();
}

type Columns = Pick<
  Tables['fields'],
  'title' | 'login' | 'totp_hash_algorithm' | 'totp_timeout' | 'file_name' | 'file_mime' | 'file_size'
>;

/** For `update fields`: as the row `made` of `field_revisions` says. */
export const columnsAsMade = (userId: string, now: number) =>
  sql`rev = made.rev, title = made.title, login = made.login, totp_hash_algorithm = made.totp_hash_algorithm,
    totp_timeout = made.totp_timeout, file_name = made.file_name, file_mime = made.file_mime,
    file_size = made.file_size, updated_by = ${userId}, updated_at = ${now}`;

type Change = Columns & Pick<Tables['fields'], 'field_id' | 'rev' | 'updated_by' | 'updated_at'>;

export async function insertRevision(
  tx: Transact,
  rows: {
    readonly field: Change;
    readonly revision: Tables['field_revisions'];
    readonly history: Tables['field_history'];
  },
): Promise<void> {
  await CHANGE.all(tx, rows.field);
  await REVISION.all(tx, rows.revision);
  await insertHistoryRow(tx, rows.history);
}

const CHANGE = prepared((db, given: Change) => {
  const { field_id, rev, updated_by, updated_at } = given;
  const { title, login, totp_hash_algorithm, totp_timeout, file_name, file_mime, file_size } = given;
  const columns = { title, login, totp_hash_algorithm, totp_timeout, file_name, file_mime, file_size };
  return db
    .updateTable('fields')
    .set({ ...columns, rev, updated_by, updated_at })
    .where('field_id', '=', field_id);
});

/** Newest first, older than `before`. Chooses ids through the index before joining. */
export async function listHistory(db: Database, fieldId: string, limit: number, before: string | undefined) {
  return db.read
    .with(
      (cte) => cte('chosen').materialized(),
      (chosen) => {
        const rows = chosen
          .selectFrom('field_history')
          .select('field_edit_log_id')
          .where('field_id', '=', fieldId)
          .orderBy('field_edit_log_id', 'desc')
          .limit(limit);
        return before === undefined ? rows : rows.where('field_edit_log_id', '<', before);
      },
    )
    .selectFrom('chosen')
    .innerJoin('field_history', 'field_history.field_edit_log_id', 'chosen.field_edit_log_id')
    .innerJoin('fields', 'fields.field_id', 'field_history.field_id')
    .leftJoin('field_revisions', (join) =>
      join
        .onRef('field_revisions.field_id', '=', 'field_history.field_id')
        .onRef('field_revisions.rev', '=', 'field_history.rev'),
    )
    .leftJoin('users', 'users.user_id', 'field_history.user_id')
    .selectAll('field_history')
    .select((eb) => [
      eb.fn.coalesce('field_revisions.title', 'fields.title').as('title'),
      eb.fn.coalesce('field_revisions.login', 'fields.login').as('login'),
      'users.name as user_name',
      'users.kind as user_kind',
    ])
    .orderBy('field_history.field_edit_log_id', 'desc')
    .execute();
}

export type HistoryRow = Awaited<ReturnType<typeof listHistory>>[number];
