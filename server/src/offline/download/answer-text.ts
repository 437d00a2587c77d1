/** Yields the response in pieces: it is never in memory as a whole. */
import type { OfflineEntry, OfflineHead } from '@passwordbroker/core/contract/account/offline';
import type { Database } from '../../db/database.ts';
import { entriesInOrder } from '../entries.ts';
import { headsOf } from '../heads.ts';
import type { Plan, PlannedGroup } from './plan.ts';

/** Per query and table. */
const HEADS_AT_ONCE = 200;

export interface Head {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly cursor: string;
}

/** Counted while writing. */
export interface Written {
  entries: number;
  fields: number;
  /** With entries in the response. */
  readonly releasedGroups: string[];
}

export async function* answerText(
  source: { readonly read: Database['read']; readonly userId: string; readonly signal: AbortSignal },
  plan: Plan,
  head: Head,
  written: Written,
): AsyncGenerator<string> {
  yield beginning(plan, head);
  yield* groupTexts(source, plan, written);
  yield end(plan);
}

function beginning({ isDelta, trees }: Plan, { timestamp, cursor }: Head): string {
  const head = JSON.stringify({ timestamp, cursor }).slice(0, -1);
  return `${head},"${isDelta ? 'delta' : 'data'}":{"trees":${trees ?? 'null'},"groups":[`;
}

function end({ isDelta, goneGroups, goneEntries }: Plan): string {
  if (!isDelta) return ']}}';
  return `],"gone_groups":${JSON.stringify(goneGroups)},"gone_entries":${JSON.stringify(goneEntries)}}}`;
}

async function* groupTexts(
  { read, userId, signal }: { readonly read: Database['read']; readonly userId: string; readonly signal: AbortSignal },
  plan: Plan,
  written: Written,
): AsyncGenerator<string> {
  const { groups } = plan;
  // Over all groups, so that small ones share a query.
  const entries = entriesInOrder(
    read,
    groups.flatMap(({ entryIds }) => entryIds),
    signal,
  );
  let isFirst = true;
  for (let at = 0; at < groups.length; at += HEADS_AT_ONCE) {
    const portion = groups.slice(at, at + HEADS_AT_ONCE);
    const heads = await headsOf(
      read,
      userId,
      portion.filter(({ hasHead }) => hasHead).map(({ groupId }) => groupId),
    );
    for (const group of portion) {
      yield `${isFirst ? '' : ','}${opening(plan, group, heads.get(group.groupId) ?? null)}`;
      isFirst = false;
      for (let number = 0; number < group.entryIds.length; number += 1) {
        const { value } = (await entries.next()) as IteratorResult<OfflineEntry, undefined>;
        if (value === undefined) throw new TypeError('An entry of the snapshot is not in it');
        written.entries += 1;
        written.fields += fieldsIn(value);
        yield `${number === 0 ? '' : ','}${JSON.stringify(value)}`;
      }
      if (group.entryIds.length > 0) written.releasedGroups.push(group.groupId);
      yield ']}';
    }
  }
}

/** Up to the bracket of the entries. */
function opening({ isDelta }: Plan, { groupId, isWhole }: PlannedGroup, head: OfflineHead | null): string {
  if (isDelta) {
    return `${JSON.stringify({ entry_group_id: groupId, head, is_whole: isWhole }).slice(0, -1)},"entries":[`;
  }
  if (head === null) throw new TypeError('A group of the snapshot is not in it');
  return `${JSON.stringify(head).slice(0, -1)},"entries":[`;
}

const fieldsIn = ({ passwords, links, notes, files, TOTPs }: OfflineEntry) =>
  passwords.length + links.length + notes.length + files.length + TOTPs.length;
