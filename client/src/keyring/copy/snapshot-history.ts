/**
 * History from a copy: the first and the present revision of each field. Only the present one has a value.
 */
import type { GroupHistory } from '@passwordbroker/core/contract/entities';
import type { Snapshot } from './snapshot.ts';

interface Asked {
  readonly groupId: string;
  /** Null: all fields of the group. */
  readonly field: { readonly entryId: string; readonly fieldId: string } | null;
  /** Rows after this id. */
  readonly before: string | null;
  readonly limit: number;
}

/** Newest first. Null: not in the copy. */
export function historyIn(snapshot: Snapshot, { groupId, field: one, before, limit }: Asked): GroupHistory[] | null {
  const entries = snapshot.entries(groupId);
  if (entries === null) return null;
  const shown = one === null ? entries : entries.filter(({ entry_id }) => entry_id === one.entryId);
  const rows = shown.flatMap(({ entry_id, title }) => rowsOfEntry(snapshot, groupId, { entry_id, title }));
  const own = one === null ? rows : rows.filter(({ field_id }) => field_id === one.fieldId);
  if (one !== null && own.length === 0) return null;
  own.sort((a, b) => compare(b.created_at, a.created_at) || compare(b.field_edit_log_id, a.field_edit_log_id));
  const start = before === null ? 0 : own.findIndex((row) => row.field_edit_log_id === before) + 1;
  return own.slice(start, start + limit);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function rowsOfEntry(snapshot: Snapshot, groupId: string, entry: GroupHistory['field']['entry']): GroupHistory[] {
  return (snapshot.fields(groupId, entry.entry_id) ?? []).flatMap((field) => {
    const { field_id, entry_id, title, type, rev } = field;
    const row = (of: Pick<GroupHistory, 'event_type' | 'user' | 'created_at'> & { readonly rev: number }) => ({
      ...of,
      // The copy does not have the server's row ids.
      field_edit_log_id: `${field_id}.${of.rev}`,
      field_id,
      has_value: of.rev === rev,
      title,
      login: field.type === 'password' ? field.login : null,
      field: { field_id, entry_id, title, type, entry },
    });
    const first = row({ event_type: 'created', rev: 1, user: field.created_by, created_at: field.created_at });
    if (rev === 1) return [first];
    return [row({ event_type: 'updated', rev, user: field.updated_by, created_at: field.updated_at }), first];
  });
}
