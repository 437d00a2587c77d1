import type { GroupHistory } from '@passwordbroker/core/contract/entities';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { can } from '@passwordbroker/core/domain/policy';
import { asFieldHistory, briefOf, HISTORY_ROWS, historyPage } from '../fields/field-answers.ts';
import { on, type Route } from '../http/route.ts';
import { type GroupHistoryRow, listGroupHistory } from './group-history-repository.ts';
import { listSeenBy } from './seen-by-repository.ts';

export const routes: readonly Route[] = [
  on(groups.history, async (context) => {
    const { deps, actor, group, query } = context;
    const { limit = HISTORY_ROWS, from, to, with_children: withChildren = false, ...filter } = query;
    const rows = await listGroupHistory(deps.db, group.entry_group_id, limit + 1, {
      ...filter,
      ...(from === undefined ? {} : { from: Date.parse(from) }),
      ...(to === undefined ? {} : { to: Date.parse(to) }),
      ...(withChildren ? { below: { path: group.materialized_path, userId: actor.userId } } : {}),
    });
    return historyPage(context, rows, limit).map(asGroupHistory);
  }),

  on(fields.seenBy, async ({ deps, actor, group, entry }) => {
    const rows = await listSeenBy(deps.db, {
      groupId: group.entry_group_id,
      entryId: entry.entry_id,
      limit: LIMITS.seenByRows,
      ...(can(group.role, 'reveals.read') ? {} : { userId: actor.userId }),
    });
    return rows.map(({ field_id, user_id, user_name, user_kind, last_at, role }) => ({
      field_id,
      user: briefOf(user_id, user_name, user_kind),
      last_at: new Date(last_at).toISOString(),
      is_member: role !== null,
    }));
  }),
];

function asGroupHistory(row: GroupHistoryRow): GroupHistory {
  const { entry_id, entry_group_id } = row;
  return {
    ...asFieldHistory(row),
    field: {
      field_id: row.field_id,
      entry_id,
      title: row.field_title,
      type: row.type,
      entry: { entry_id, entry_group_id, title: row.entry_title },
    },
  };
}
