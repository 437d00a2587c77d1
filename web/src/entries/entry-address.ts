import type { Entry } from '@passwordbroker/core/contract/entities';

export const ENTRY_PARAM = 'entry';

/** Route of an entry: its group's page, which expands it and scrolls to it. */
export function entryAddress({ entry_group_id, entry_id }: Pick<Entry, 'entry_group_id' | 'entry_id'>): string {
  return `/entryGroup/${entry_group_id}?${new URLSearchParams({ [ENTRY_PARAM]: entry_id })}`;
}
