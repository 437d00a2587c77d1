import type { mark } from '@passwordbroker/core/contract/entries/entries';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { dayAfter, readDay } from '@passwordbroker/core/domain/entry-marks';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import { lockEntry } from '../db/locks.ts';
import { indexChange } from '../db/text-search/search-index.ts';
import { findGroup } from '../http/auth/path-repository.ts';
import type { Caller, Deps } from '../http/context.ts';
import { asEntry, findAnyEntry, type MarkColumns, updateEntryMarks } from './entry-repository.ts';
import { indexTags, tagLines } from './tag-repository.ts';

type Marks = BodyOf<typeof mark>;

export const NO_MARKS: MarkColumns = { tags: null, icon: null, due_at: null, due_kind: null, rotate_days: null };

interface Marking {
  readonly groupId: string;
  readonly entryId: string;
  readonly marks: Marks;
}

/** Sets tags, icon and due date; absent members stay. @throws AppError `not_found`, `forbidden` */
export async function markEntry(
  deps: Deps,
  { actor, origin }: Caller,
  { groupId, entryId, marks }: Marking,
): Promise<Entry> {
  return deps.db.transactBeside(async (tx) => {
    await lockEntry(tx, entryId);
    const group = await findGroup({ read: tx }, groupId, actor.userId);
    const entry = await findAnyEntry(tx, entryId);
    const isHere = entry !== undefined && entry.trashed_by === null && entry.entry_group_id === groupId;
    if (group === undefined || !isHere) throw new AppError('not_found');
    if (!can(group.role, 'entry.write')) throw new AppError('forbidden');
    const now = deps.clock.now();
    const columns = marksAfter(entry, marks, now);
    const changed = (Object.keys(columns) as (keyof MarkColumns)[]).filter((name) => columns[name] !== entry[name]);
    if (changed.length === 0) return asEntry(entry);
    const after = { ...entry, ...columns, updated_at: now };
    await updateEntryMarks(tx, after);
    await indexChange(tx, entryId, now);
    if (changed.includes('tags')) await indexTags(tx, after);
    await recordEvent(tx, deps, {
      event_type: 'entry_marked',
      actor,
      origin,
      target_type: 'entry',
      target_id: entryId,
      details: { entry_group_id: groupId, changed: changed.join(', ') },
    });
    return asEntry(after);
  });
}

/** A due date without a kind is one to review; `rotate_days` that are sent without a due date begin today. They end with the date, and with another kind. */
export function marksAfter(before: MarkColumns, marks: Marks, now: number): MarkColumns {
  const rotate_days = marks.rotate_days === undefined ? before.rotate_days : marks.rotate_days || null;
  const sentDay = marks.due_at === undefined ? before.due_at : readDay(marks.due_at);
  const isRotated = marks.rotate_days !== undefined && rotate_days !== null;
  const begins = sentDay === null && marks.due_at === undefined && isRotated;
  const due_at = begins ? dayAfter(now, rotate_days ?? 0) : sentDay;
  const due_kind = marks.due_kind ?? (isRotated ? 'rotate' : (before.due_kind ?? 'review'));
  return {
    tags: marks.tags === undefined ? before.tags : tagLines(marks.tags),
    icon: marks.icon === undefined ? before.icon : marks.icon || null,
    due_at,
    due_kind: due_at === null ? null : due_kind,
    rotate_days: due_at === null || due_kind !== 'rotate' ? null : rotate_days,
  };
}
