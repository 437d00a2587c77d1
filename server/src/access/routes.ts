import * as access from '@passwordbroker/core/contract/groups/access';
import type { Database } from '../db/database.ts';
import { on, type Route } from '../http/route.ts';
import { entriesMoved, groupDeleted, groupMoved } from './group-previews.ts';
import { membersChanged } from './member-previews.ts';
import { asPreview, type Asker, type Effect } from './preview.ts';
import { whoCanReadGroup } from './who-can-read.ts';

export const routes: readonly Route[] = [
  on(access.whoCanRead, ({ deps, actor, group, query }) =>
    whoCanReadGroup(deps.db, { group, callerId: actor.userId, entryId: query.entry_id }),
  ),

  on(access.preview, async ({ deps, actor, body }) =>
    asPreview(deps.db, actor, await effectOf(deps.db, actor, body.act)),
  ),
];

/** @throws AppError as the operation itself does for a caller who may not do it */
function effectOf(db: Database, asker: Asker, act: access.Act): Promise<Effect> {
  switch (act.kind) {
    case 'add-user':
    case 'remove-user':
    case 'change-role':
      return membersChanged(db, asker, act);
    case 'move-group':
      return groupMoved(db, asker, act);
    case 'move-entries':
      return entriesMoved(db, asker, act);
    case 'delete-group':
      return groupDeleted(db, asker, act);
  }
}
