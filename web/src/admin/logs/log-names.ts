import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AuditRow, Named } from '@passwordbroker/core/contract/entities';
import { names as namesOf } from '@passwordbroker/core/contract/entries/entries';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { entryAddress } from '../../entries/entry-address.ts';
import { http } from '../../page/page.ts';
import { AUDIT_NAMES as TEXTS, auditSentence, type AuditParts } from '../../texts/admin/audit-events.ts';
import { FIELD_TEXTS } from '../../texts/entries/fields.ts';
import type { Name, Sentence } from '../../texts/sentence.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KINDS = ['entry_group', 'entry', 'field', 'user'] as const;
type Kind = (typeof KINDS)[number];
const isKind = (type: string | null): type is Kind => KINDS.some((kind) => kind === type);

/** Details that are ids of groups or people. */
const ID_DETAILS = ['user_id', 'invited_by', 'from', 'to'];

function idsOf({ user_id, target_type, target_id, details }: AuditRow): string[] {
  const told = ID_DETAILS.map((detail) => details?.[detail]);
  const ids = [user_id, isKind(target_type) ? target_id : null, ...told];
  return ids.filter((id): id is string => typeof id === 'string' && UUID.test(id));
}

/** Undefined while the answer is awaited; null if the viewer may not read it. */
export type FindName = (id: string) => Named | null | undefined;

/** Names of what the rows are about, as far as the viewer may read them. */
export function useNames(rows: readonly AuditRow[]) {
  const ids = [...new Set(rows.flatMap(idsOf))].sort();
  const query = useQuery({
    queryKey: ['admin', 'log names', ids],
    queryFn: async ({ signal }) => {
      const asked: Promise<readonly Named[]>[] = [];
      for (let at = 0; at < ids.length; at += LIMITS.namesAtOnce) {
        asked.push(http.call(namesOf, { query: { ids: ids.slice(at, at + LIMITS.namesAtOnce) }, signal }));
      }
      return new Map((await Promise.all(asked)).flat().map((named) => [named.id, named]));
    },
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
    staleTime: 60_000,
  });
  const isWhole = query.data !== undefined && !query.isPlaceholderData;
  const find: FindName = (id) => query.data?.get(id) ?? (isWhole ? null : undefined);
  return { find, problem: query.isFetching ? null : query.error, retry: () => void query.refetch() };
}

export function sentenceOf(row: AuditRow, find: FindName): Sentence {
  const { user_id, login, target_type, target_id } = row;
  const details = row.details ?? {};
  const actor = user_id === null ? null : (find(user_id)?.title ?? null);
  const parts: AuditParts = {
    who: actor ?? login ?? (row.address === null || row.address === '' ? TEXTS.server : TEXTS.somebody),
    hasActor: user_id !== null,
    target: targetOf(target_type, target_id, find),
    targetType: target_type,
    details,
    by(detail, kind) {
      const id = details[detail];
      return typeof id === 'string' ? nameOf(kind, id, find) : { name: TEXTS.root };
    },
  };
  return auditSentence(row.event_type, parts);
}

function targetOf(type: string | null, id: string | null, find: FindName): Name {
  if (isKind(type) && id !== null) return nameOf(type, id, find);
  return { name: TEXTS.others[type ?? ''] ?? TEXTS.something };
}

function nameOf(kind: Kind, id: string, find: FindName): Name {
  const named = find(id);
  if (named === undefined) return { name: TEXTS.loading };
  if (named === null) return { name: TEXTS.unseen[kind] };
  const { title, entry, entry_group: group } = named;
  if (named.kind === 'entry_group') return { name: title, to: `/entryGroup/${id}` };
  if (entry !== null && group !== null) {
    const name = TEXTS.ofField(entry.title, title === '' ? FIELD_TEXTS.untitled : title);
    return { name, to: entryAddress({ ...group, ...entry }) };
  }
  if (group !== null) return { name: title, to: entryAddress({ ...group, entry_id: id }) };
  return { name: title };
}
