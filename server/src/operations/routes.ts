/** Acts that can be taken back, and the trash (`api.md` §3.10). */
import * as operations from '@passwordbroker/core/contract/operations';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { journalPage } from './journal-page.ts';
import { purgeFromTrash } from './purge.ts';
import { restoreFromTrash } from './restore.ts';
import { trashPage } from './trash.ts';
import { requireUndoable, undoOperation } from './undo.ts';

export const routes: readonly Route[] = [
  on(operations.journal, ({ deps, actor, query }) => journalPage(deps, actor.userId, query)),

  on(operations.undo, (context) => undoOperation(context), { permit: requireUndoable }),

  on(operations.trash, ({ deps, actor, query }) => trashPage(deps, { userId: actor.userId }, query)),

  on(operations.groupTrash, ({ deps, actor, group, query }) => {
    const within = { groupId: group.entry_group_id, withGroups: group.role === 'admin' };
    return trashPage(deps, { userId: actor.userId, within }, query);
  }),

  on(operations.restore, ({ deps, actor, origin, params, body }) =>
    restoreFromTrash(deps, { actor, origin }, params.operationId, body.items),
  ),

  on(operations.purge, async ({ deps, actor, origin, params }) => {
    await purgeFromTrash(deps, { actor, origin }, params.operationId);
    return undefined;
  }),
];
