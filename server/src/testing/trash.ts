/** Moves one row to the trash as a delete does, for tests of calls that must not see it. */
import { indexEntries } from '../db/text-search/search-index.ts';
import { insertOperation } from '../operations/journal.ts';
import type { TestApp } from './test-app.ts';

const PLACES = {
  entry_group: ['entry_groups', 'entry_group_id'],
  entry: ['entries', 'entry_id'],
  field: ['fields', 'field_id'],
} as const;

export async function putIntoTrash({ deps }: TestApp, kind: keyof typeof PLACES, id: string): Promise<void> {
  const [operation_id, created_at] = [deps.newId(), deps.clock.now()];
  const [table, key] = PLACES[kind];
  await deps.db.transact(async (tx) => {
    await insertOperation(tx, {
      operation_id,
      kind: 'delete',
      user_id: null,
      target_kind: kind,
      target_id: id,
      title: '',
      entry_group_id: null,
      detail: '{}',
      entry_groups: 0,
      entries: 0,
      fields: 0,
      created_at,
      undo_until: null,
      undone_at: null,
    });
    await tx.updateTable(table).set({ trashed_by: operation_id }).where(key, '=', id).execute();
    if (kind === 'entry') await indexEntries(tx, [id]);
    if (kind !== 'field') return;
    const fields = tx.selectFrom('fields').select('entry_id').where('field_id', '=', id);
    for (const { entry_id } of await fields.execute()) await indexEntries(tx, [entry_id]);
  });
}
