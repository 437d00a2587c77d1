import * as access from '@passwordbroker/core/contract/groups/access';
import type { Deps } from '../http/context.ts';
import { on, type Route } from '../http/route.ts';
import { entriesDeleted, entriesMoved, groupDeleted, groupMoved, groupRestored } from './group-previews.ts';
import { membersChanged } from './member-previews.ts';
import { asPreview, type Asker, type Effect } from './preview.ts';
import { whoCanReadGroup } from './who-can-read.ts';

export const routes: readonly Route[] = [
  on(access.whoCanRead, ({ deps, actor, group, query }) =>
    whoCanReadGroup(deps.db, { group, callerId: actor.userId, entryId: query.entry_id }),
  ),

  on(access.preview, async ({ deps, actor, body }) => asPreview(deps.db, actor, await effectOf(deps, actor, body.act))),
];

/** @throws AppError if the caller may not do the operation: the same error as the operation */
function effectOf(deps: Pick<Deps, 'db' | 'clock'>, asker: Asker, act: access.Act): Promise<Effect> {
  const { db } = deps;
  switch (act.kind) {
    case 'add-user':
    case 'remove-user':
    case 'change-role':
      return membersChanged(db, asker, act);
    case 'move-group':
      return groupMoved(db, asker, act);
    case 'move-entries':
      return entriesMoved(db, asker, act);
    case 'delete-entries':
      return entriesDeleted(db, asker, act);
    case 'delete-group':
      return groupDeleted(db, asker, act);
    case 'restore-group':
      return groupRestored(deps, asker, act);
  }
}
