import * as entries from '@passwordbroker/core/contract/entries/entries';
import { resolve } from '@passwordbroker/core/contract/entries/resolve';
import { on, type Route } from '../http/route.ts';
import { writtenJson } from '../http/answer/answer.ts';
import { readEntries, search } from '../search/search.ts';
import { masterPasswordTexts } from '../server-crypto/caller-keyring.ts';
import { sealMove, sealMoveMany } from '../server-crypto/entry-move.ts';
import { createEntry, renameEntry, removeEntries } from './change-entries.ts';
import { asEntry, listEntries } from './entry-repository.ts';
import { moveCall } from './move-entries.ts';
import { listNames } from './names-repository.ts';
import type { Wrap } from '@passwordbroker/core/contract/entities';
import type { Deps } from '../http/context.ts';
import type { GroupInPath } from '../http/auth/path-repository.ts';
import { chosenEntries } from './entry-checks.ts';
import { markEntry } from './mark-entry.ts';
import { resolveReferences } from './resolve.ts';
import { listTags } from './tag-repository.ts';
import { listWraps } from './wrap-repository.ts';

export const routes: readonly Route[] = [
  on(entries.search, async ({ deps, actor, query }) =>
    writtenJson(JSON.stringify(await search(deps, actor.userId, query))),
  ),

  on(entries.listById, async ({ deps, actor, query }) =>
    writtenJson(JSON.stringify(await readEntries(deps.db, actor.userId, query.entry_ids))),
  ),

  on(entries.names, ({ deps, actor, query }) => listNames(deps.db, actor.userId, query.ids)),

  on(resolve, resolveReferences),

  on(entries.listAll, async ({ deps, group }) =>
    writtenJson(JSON.stringify(await listEntries(deps.db, group.entry_group_id))),
  ),

  on(entries.get, ({ entry }) => asEntry(entry)),

  on(entries.create, (context) => createEntry(context)),

  on(entries.rename, async (context) => {
    const renaming = {
      groupId: context.group.entry_group_id,
      entryId: context.entry.entry_id,
      title: context.body.title,
    };
    const { entry, operationId } = await renameEntry(context.deps, context, renaming);
    if (operationId !== null) context.head.setHeader('x-operation-id', operationId);
    return entry;
  }),

  on(entries.mark, (context) =>
    markEntry(context.deps, context, {
      groupId: context.group.entry_group_id,
      entryId: context.entry.entry_id,
      marks: context.body,
    }),
  ),

  on(entries.tagsInUse, ({ deps, actor, query }) => listTags(deps.db, actor.userId, query.q ?? '')),

  on(entries.remove, (context) =>
    removeEntries(context.deps, context, {
      groupId: context.group.entry_group_id,
      entryIds: [context.entry.entry_id],
    }),
  ),

  on(entries.removeMany, (context) =>
    removeEntries(context.deps, context, { groupId: context.group.entry_group_id, entryIds: context.body.entries }),
  ),

  on(entries.wraps, (context) => wrapsOf(context, context.body.entries)),

  on(
    entries.moveMany,
    {
      sealed: (context) => moveCall(context, { ...context.body, fromGroupId: context.group.entry_group_id }),
      plain: sealMoveMany,
    },
    { plainTexts: masterPasswordTexts },
  ),

  on(
    entries.move,
    {
      sealed: (context) =>
        moveCall(context, {
          ...context.body,
          entries: [context.entry.entry_id],
          fromGroupId: context.group.entry_group_id,
        }),
      plain: sealMove,
    },
    { plainTexts: masterPasswordTexts },
  ),
];

async function wrapsOf(
  { deps, group }: { readonly deps: Deps; readonly group: GroupInPath },
  entryIds: readonly string[],
): Promise<{ gk_version: number; rows: Wrap[] }> {
  const chosen = await chosenEntries(deps.db.read, group.entry_group_id, entryIds);
  const rows = await listWraps(
    deps.db,
    chosen.map(({ entry_id }) => entry_id),
  );
  return {
    gk_version: group.gk_version,
    rows: rows.map(({ cek_wrapped, ...row }) => ({ ...row, cek_wrapped_base64: cek_wrapped.toString('base64') })),
  };
}
