/** Entries (`api.md` §3.8). */
import * as entries from '@passwordbroker/core/contract/entries';
import { compareTitles } from '@passwordbroker/core/domain/group-tree';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { search } from '../search/search.ts';
import { createEntry } from './create-entry.ts';
import { asEntry, listEntries } from './entry-repository.ts';

export const routes: readonly Route[] = [
  on(entries.search, ({ deps, actor, query }) => search(deps.db, actor.userId, query)),

  on(entries.listAll, async ({ deps, group }) => {
    const rows = await listEntries(deps.db, group.entry_group_id);
    const ordered = rows.map((row) => ({ row, id: row.entry_id, title: row.title })).sort(compareTitles);
    return ordered.map(({ row }) => asEntry(row));
  }),

  on(entries.get, ({ entry }) => asEntry(entry)),

  on(entries.create, (context) => createEntry(context)),
];
