/** `entries.tags` is what is shown; `entry_tags` finds entries by tag. */
import { type SqlBool, sql } from 'kysely';
import { tagKey } from '@passwordbroker/core/domain/entry-marks';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { foldText } from '@passwordbroker/core/domain/search-text';
import type { Database, Transact } from '../db/database.ts';
import { prepared, preparedList } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';
import { likeBeginning } from '../db/text-search/search-index.ts';

/** As stored in `entries.tags`. @param tags distinct */
export const tagLines = (tags: readonly string[]): string | null => (tags.length === 0 ? null : tags.join('\n'));

export const tagsIn = ({ tags }: Pick<Tables['entries'], 'tags'>): string[] => tags?.split('\n') ?? [];

export const tagRowsOf = (entry: Pick<Tables['entries'], 'entry_id' | 'tags'>): Tables['entry_tags'][] =>
  tagsIn(entry).map((tag) => ({ entry_id: entry.entry_id, tag_key: tagKey(tag), tag }));

/** Makes the index follow `entries.tags`. */
export async function indexTags(tx: Transact, entry: Pick<Tables['entries'], 'entry_id' | 'tags'>): Promise<void> {
  await FORMER.all(tx, { entryId: entry.entry_id });
  await PRESENT(tx, tagRowsOf(entry));
}

const FORMER = prepared((db, given: { readonly entryId: string }) =>
  db.deleteFrom('entry_tags').where('entry_id', '=', given.entryId),
);

const PRESENT = preparedList((db, rows: readonly Tables['entry_tags'][]) =>
  db.insertInto('entry_tags').values(rows.map(({ entry_id, tag_key, tag }) => ({ entry_id, tag_key, tag }))),
);

/** Tags of entries that the person may read, with the number of entries; the most frequent first. */
export async function listTags(
  { read }: Pick<Database, 'read'>,
  userId: string,
  beginning: string,
): Promise<{ tag: string; entries: number }[]> {
  const rows = await TAGS.all(read, { userId, beginning: likeBeginning(foldText(beginning)), limit: LIMITS.pageMax });
  return rows.map(({ tag, entries }) => ({ tag, entries: Number(entries) }));
}

const TAGS = prepared((db, given: { readonly userId: string; readonly beginning: string; readonly limit: number }) =>
  db
    .selectFrom('entry_tags')
    .innerJoin('entries', 'entries.entry_id', 'entry_tags.entry_id')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'entries.entry_group_id')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entries.entry_group_id')
    .select(({ fn }) => [fn.min('tag').as('tag'), fn.countAll<number>().as('entries')])
    .where('group_members.user_id', '=', given.userId)
    .where('entries.trashed_by', 'is', null)
    .where('entry_groups.trashed_by', 'is', null)
    .where(sql<SqlBool>`tag_key like ${given.beginning} escape '\\'`)
    .groupBy('tag_key')
    .orderBy('entries', 'desc')
    .orderBy('tag_key')
    .limit(given.limit),
);
