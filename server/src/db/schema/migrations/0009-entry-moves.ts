import type { Migration } from '../migrate.ts';

export const entryMoves: Migration = {
  name: '0009-entry-moves',
  both: ['create index entry_moves_of_group on entry_moves (entry_group_id, entry_id)'],
};
