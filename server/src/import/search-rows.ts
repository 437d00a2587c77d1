import { searchRowOf } from '../db/text-search/search-index.ts';
import type { Tables } from '../db/schema/tables.ts';

type Entry = Tables['entries'];
type Field = Tables['fields'];
type Texts = Pick<Field, 'title' | 'login' | 'file_name'>;

export interface SearchRows {
  add(field: Pick<Field, 'entry_id'> & Texts): void;
  /** Of entries with fields, except that of the last field. Each entry once. */
  complete(): ReturnType<typeof searchRowOf>[];
  /** Rows of all other entries. */
  rest(): ReturnType<typeof searchRowOf>[];
  /** Ids of entries that got a field after their row was made. */
  reopened(): string[];
}

interface Imported {
  readonly entries: readonly Entry[];
  readonly groups: readonly { readonly group: Pick<Tables['entry_groups'], 'entry_group_id' | 'name_folded'> }[];
}

export function searchRows({ entries, groups }: Imported): SearchRows {
  const names = new Map(groups.map(({ group }) => [group.entry_group_id, group.name_folded]));
  const open = new Map(entries.map((entry) => [entry.entry_id, entry]));
  const textsOf = new Map<string, Texts[]>();
  const late = new Set<string>();
  let last = '';
  const close = (entryId: string) => {
    const entry = open.get(entryId);
    if (entry === undefined) return [];
    const row = searchRowOf(entry, textsOf.get(entryId) ?? [], names.get(entry.entry_group_id) ?? '');
    open.delete(entryId);
    textsOf.delete(entryId);
    return [row];
  };
  return {
    add({ entry_id, title, login, file_name }) {
      const texts = textsOf.get(entry_id);
      if (!open.has(entry_id)) late.add(entry_id);
      else if (texts === undefined) textsOf.set(entry_id, [{ title, login, file_name }]);
      else texts.push({ title, login, file_name });
      last = entry_id;
    },
    complete: () => [...textsOf.keys()].filter((entryId) => entryId !== last).flatMap(close),
    rest: () => [...open.keys()].flatMap(close),
    reopened() {
      const ids = [...late];
      late.clear();
      return ids;
    },
  };
}
