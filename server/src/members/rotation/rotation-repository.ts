import { sql } from 'kysely';
import type { Database, Transact } from '../../db/database.ts';
import { givenRows } from '../../db/row-text.ts';

/** Counts revisions by older version, including trash and history. */
export async function countFormer(
  db: Database['read'] | Transact,
  groupId: string,
  version: number,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('entries')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
    .select((eb) => ['field_revisions.gk_version', eb.fn.countAll<number>().as('revisions')])
    .where('entries.entry_group_id', '=', groupId)
    .where('field_revisions.gk_version', '<', version)
    .groupBy('field_revisions.gk_version')
    .execute();
  return new Map(rows.map(({ gk_version, revisions }) => [gk_version, Number(revisions)]));
}

/** The page starts after this revision. */
export interface Behind {
  readonly fieldId: string;
  readonly rev: number;
}

/** Ordered by id, without values. */
export async function listFormer(
  db: Database,
  { groupId, version, limit, behind }: { groupId: string; version: number; limit: number; behind: Behind | undefined },
) {
  let query = db.read
    .selectFrom('entries')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
    .select([
      'fields.entry_id',
      'fields.field_id',
      'fields.type',
      'field_revisions.rev',
      'field_revisions.gk_version',
      'field_revisions.cek_wrapped',
    ])
    .where('entries.entry_group_id', '=', groupId)
    .where('field_revisions.gk_version', '<', version);
  if (behind !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('fields.field_id', '>', behind.fieldId),
        eb('fields.field_id', '=', behind.fieldId).and('field_revisions.rev', '>', behind.rev),
      ]),
    );
  }
  return query.orderBy('fields.field_id').orderBy('field_revisions.rev').limit(limit).execute();
}

/** Leaves out fields of other groups. */
export async function listVersions(tx: Transact, groupId: string, fieldIds: readonly string[]) {
  if (fieldIds.length === 0) return [];
  return tx
    .selectFrom('fields')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .innerJoin('field_revisions', 'field_revisions.field_id', 'fields.field_id')
    .select(['fields.field_id', 'field_revisions.rev', 'field_revisions.gk_version'])
    .where('fields.field_id', 'in', fieldIds)
    .where('entries.entry_group_id', '=', groupId)
    .execute();
}

export interface Rewrap {
  readonly field_id: string;
  readonly rev: number;
  readonly from_gk_version: number;
  readonly cek_wrapped: Buffer;
}

/** Skips rows whose version has changed. Returns the number of written rows. */
export async function writeRewraps(tx: Transact, rewraps: readonly Rewrap[], version: number): Promise<number> {
  if (rewraps.length === 0) return 0;
  const given = givenRows(
    tx,
    { field_id: 'text', rev: 'integer', former: 'integer', cek_wrapped: 'bytes' },
    rewraps.map(({ field_id, rev, from_gk_version: former, cek_wrapped }) => ({ field_id, rev, former, cek_wrapped })),
  );
  const { numAffectedRows } = await sql`with ${given}
    update field_revisions set gk_version = ${version}, cek_wrapped = given.cek_wrapped from given
    where field_revisions.field_id = given.field_id and field_revisions.rev = given.rev
      and field_revisions.gk_version = given.former`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

export async function deleteFormerGrants(
  tx: Transact,
  groupId: string,
  { version, inUse }: { readonly version: number; readonly inUse: readonly number[] },
): Promise<void> {
  let query = tx.deleteFrom('group_grants').where('entry_group_id', '=', groupId).where('gk_version', '<', version);
  if (inUse.length > 0) query = query.where('gk_version', 'not in', inUse);
  await query.execute();
}
