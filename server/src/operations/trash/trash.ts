import type { TrashItem } from '@passwordbroker/core/contract/entities';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import type { Deps } from '../../http/context.ts';
import { type PageQuery, pageOf, spanOf } from '../page.ts';
import { countInTrash, listTrashActs } from './trash-page-repository.ts';
import type { TrashAct, TrashRequest } from './trash-page-repository.ts';
import { type Top, listTops } from './trash-top-repository.ts';

/** Newest first. */
export async function trashPage(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  who: Pick<TrashRequest, 'userId' | 'within'>,
  query: PageQuery,
) {
  const request = { ...who, now: clock.now(), ...spanOf(query) };
  const acts = await listTrashActs(db.read, request);
  // The total is a column, so an empty page needs another query.
  const [first] = acts.length > 0 ? acts : await listTrashActs(db.read, { ...request, offset: 0, limit: 1 });
  const ids = acts.map(({ operation_id }) => operation_id);
  const [tops, counts] = await Promise.all([listTops(db.read, acts, who.userId), countInTrash(db, ids)]);
  const byAct = new Map<string | null, Top[]>(ids.map((id) => [id, []]));
  for (const top of tops) byAct.get(top.trashed_by)?.push(top);
  const data = acts.map((act) =>
    asTrashItem(act, byAct.get(act.operation_id) ?? [], counts.get(act.operation_id) ?? NOTHING),
  );
  return pageOf(data, first?.total ?? 0, query);
}

/** Deleted groups are listed only for admins of everything in them. */
export const mayPurge = ({ kind, role }: Pick<Top, 'kind' | 'role'>): boolean =>
  kind === 'entry_group' || role === 'admin';

const NOTHING = { entry_groups: 0, entries: 0, fields: 0 };

function asTrashItem(act: TrashAct, tops: readonly Top[], counts: TrashItem['counts']): TrashItem {
  const sorted = tops.toSorted(compareTitles);
  const first = tops.find(({ id }) => id === act.target_id) ?? sorted[0];
  const { user_id, user_name } = act;
  return {
    operation_id: act.operation_id,
    kind: act.target_kind,
    title: first?.title ?? act.title,
    entry_group:
      first === undefined || first.group_id === null || first.group_name === null
        ? null
        : { entry_group_id: first.group_id, name: first.group_name },
    user: user_id === null || user_name === null ? null : { user_id, name: user_name },
    items: sorted.map(({ kind, id, title }) => ({ kind, id, title })),
    counts,
    can_purge: tops.every(mayPurge),
    created_at: new Date(act.created_at).toISOString(),
    purge_at: new Date(act.undo_until ?? act.created_at).toISOString(),
  };
}
