import * as operations from '@passwordbroker/core/contract/entries/operations';
import { on, type Route } from '../http/route.ts';
import type { GroupInPath } from '../http/auth/path-repository.ts';
import { emptyTrash, previewEmptying, previewPurge, purgeFromTrash } from './trash/purge.ts';
import { restoreFromTrash, trashPage } from './trash/trash.ts';
import { requireUndoable, undoOperation } from './undo/undo.ts';
import type { JournalRow } from '@passwordbroker/core/contract/entities';
import type { Deps } from '../http/context.ts';
import { readDetail, asOperation, type OperationRow, listUndoable } from './journal.ts';
import { type PageQuery, pageOf, spanOf } from './page.ts';

export const routes: readonly Route[] = [
  on(operations.journal, ({ deps, actor, query }) => journalPage(deps, actor.userId, query)),

  on(operations.undo, (context) => undoOperation(context), { permit: requireUndoable }),

  on(operations.trash, ({ deps, actor, query }) => trashPage(deps, { userId: actor.userId }, query)),

  on(operations.groupTrash, ({ deps, actor, group, query }) =>
    trashPage(deps, { userId: actor.userId, within: within(group) }, query),
  ),

  on(operations.restore, ({ deps, actor, origin, params, body }) =>
    restoreFromTrash(deps, { actor, origin }, params.operationId, body.items),
  ),

  on(operations.purge, async ({ deps, actor, origin, params }) => {
    await purgeFromTrash(deps, { actor, origin }, params.operationId);
    return undefined;
  }),

  on(operations.purgePreview, ({ deps, actor, params }) => previewPurge(deps, params.operationId, actor.userId)),

  on(operations.trashPurgePreview, ({ deps, actor }) => previewEmptying(deps, { userId: actor.userId })),

  on(operations.emptyTrash, ({ deps, actor, origin, query }) =>
    emptyTrash(deps, { actor, origin }, undefined, query.items),
  ),

  on(operations.groupPurgePreview, ({ deps, actor, group }) =>
    previewEmptying(deps, { userId: actor.userId, within: within(group) }),
  ),

  on(operations.emptyGroupTrash, ({ deps, actor, origin, group, query }) =>
    emptyTrash(deps, { actor, origin }, within(group), query.items),
  ),
];

/** Only admins see deleted subgroups. */
const within = ({ entry_group_id: groupId, role }: GroupInPath) => ({ groupId, withGroups: role === 'admin' });

/** What the caller can undo (ADR 7). Deletions are in the trash instead. */
async function journalPage({ db, clock }: Pick<Deps, 'db' | 'clock'>, userId: string, query: PageQuery) {
  const { rows, total } = await listUndoable(db, { userId, now: clock.now(), ...spanOf(query) });
  return pageOf(rows.map(asJournalRow), total, query);
}

function asJournalRow(row: OperationRow): JournalRow {
  const detail = readDetail(row);
  const [from, to] =
    'from' in detail
      ? [detail.from, detail.to]
      : 'from_group' in detail
        ? [detail.from_group, detail.to_group]
        : [null, null];
  return {
    ...asOperation(row),
    target_kind: row.target_kind,
    target_id: row.target_id,
    target_ids: 'entries' in detail && detail.entries !== undefined ? [...detail.entries] : [row.target_id],
    title: row.title,
    from,
    to,
    created_at: new Date(row.created_at).toISOString(),
  };
}
