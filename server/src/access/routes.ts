import * as access from '@passwordbroker/core/contract/groups/access';
import { on, type Route } from '../http/route.ts';
import { whoCanReadGroup } from './who-can-read.ts';

export const routes: readonly Route[] = [
  on(access.whoCanRead, ({ deps, actor, group, query }) =>
    whoCanReadGroup(deps.db, { group, callerId: actor.userId, entryId: query.entry_id }),
  ),
];
