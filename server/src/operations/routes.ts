import * as operations from '@passwordbroker/core/contract/entries/operations';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { journalPage } from './journal-page.ts';
import type { GroupInPath } from '../http/auth/path-repository.ts';
import { emptyTrash, previewEmptying, previewPurge, purgeFromTrash } from './trash/purge.ts';
import { restoreFromTrash } from './trash/restore.ts';
import { trashPage } from './trash/trash.ts';
import { requireUndoable, undoOperation } from './undo/undo.ts';

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
