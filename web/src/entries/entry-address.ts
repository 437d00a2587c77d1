/** The address of one entry: its group's page, opened and scrolled to it. It outlives signing in, because the guard keeps the whole address. */
import type { Entry } from '@passwordbroker/core/contract/entities';

export const ENTRY_PARAM = 'entry';

export function entryAddress({ entry_group_id, entry_id }: Pick<Entry, 'entry_group_id' | 'entry_id'>): string {
  return `/entryGroup/${entry_group_id}?${new URLSearchParams({ [ENTRY_PARAM]: entry_id })}`;
}
