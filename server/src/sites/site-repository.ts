import { sql } from 'kysely';
import type { SiteRow } from '@passwordbroker/core/contract/entries/sites';
import type { Database, Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';

type Reader = Database['read'];

/** Ids of the person's groups outside the trash. */
export async function listOwnGroups(read: Reader, userId: string): Promise<string[]> {
  const rows = await read
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .select('group_members.entry_group_id')
    .where('group_members.user_id', '=', userId)
    .where('entry_groups.trashed_by', 'is', null)
    .orderBy('group_members.entry_group_id')
    .execute();
  return rows.map(({ entry_group_id }) => entry_group_id);
}

/** Groups of the person with an entry, or as a whole, that changed since the stamp. */
export async function listChangedGroups(read: Reader, userId: string, stamp: number): Promise<Set<string>> {
  const rows = await read
    .selectFrom('group_members')
    .leftJoin('changed_groups', 'changed_groups.entry_group_id', 'group_members.entry_group_id')
    .select('group_members.entry_group_id')
    .where('group_members.user_id', '=', userId)
    .where((eb) =>
      eb.or([
        // Null: the group is gone.
        eb(eb.fn.coalesce('changed_groups.whole_stamp', sql.lit(stamp)), '>=', stamp),
        eb.exists(
          eb
            .selectFrom('changed_entries')
            .select('changed_entries.stamp')
            .whereRef('changed_entries.entry_group_id', '=', 'group_members.entry_group_id')
            .where('changed_entries.stamp', '>=', stamp),
        ),
      ]),
    )
    .execute();
  return new Set(rows.map(({ entry_group_id }) => entry_group_id));
}

/** Links outside the trash, by group. @param groupIds few enough for one statement */
export async function listSiteRows(read: Reader, groupIds: readonly string[]): Promise<Map<string, SiteRow[]>> {
  const found = new Map<string, SiteRow[]>(groupIds.map((id) => [id, []]));
  const rows = await read
    .selectFrom('entries')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .innerJoin('field_revisions', (join) =>
      join.onRef('field_revisions.field_id', '=', 'fields.field_id').onRef('field_revisions.rev', '=', 'fields.rev'),
    )
    .select(['entries.entry_group_id', 'entries.entry_id', 'entries.title as entry_title'])
    .select(['fields.field_id', 'fields.rev', 'field_revisions.gk_version'])
    .select(['field_revisions.cek_wrapped', 'field_revisions.site'])
    .where('entries.entry_group_id', 'in', groupIds)
    .where('entries.trashed_by', 'is', null)
    .where('fields.type', '=', 'link')
    .where('fields.trashed_by', 'is', null)
    .orderBy('entries.entry_id')
    .orderBy('fields.field_id')
    .execute();
  for (const { entry_group_id, cek_wrapped, site, ...row } of rows) {
    found.get(entry_group_id)?.push({
      ...row,
      cek_wrapped_base64: cek_wrapped.toString('base64'),
      site_sealed_base64: site === null ? null : site.toString('base64'),
    });
  }
  return found;
}

/** The stamps of the person's marks; unknown marks are left out. */
export async function readMarks(read: Reader, userId: string, marks: readonly string[]): Promise<Map<string, number>> {
  const stamps = new Map<string, number>();
  for (const some of portions(marks)) {
    const rows = await read
      .selectFrom('offline_copies')
      .select(['copy_id', 'stamp'])
      .where('user_id', '=', userId)
      .where('user_application_id', 'is', null)
      .where('copy_id', 'in', some)
      .execute();
    for (const { copy_id, stamp } of rows) stamps.set(copy_id, Number(stamp));
  }
  return stamps;
}

export async function updateSite(tx: Transact, fieldId: string, rev: number, site: Buffer): Promise<void> {
  await tx
    .updateTable('field_revisions')
    .set({ site })
    .where('field_id', '=', fieldId)
    .where('rev', '=', rev)
    .execute();
}
