/** What the caller can undo (ADR 7). Deletions are in the trash instead. */
import type { JournalRow } from '@passwordbroker/core/contract/entities';
import type { Deps } from '../http/context.ts';
import { readDetail } from './detail.ts';
import { asOperation } from './operation.ts';
import type { OperationRow } from './operation.ts';
import { listUndoable } from './operation-repository.ts';
import { type PageQuery, pageOf, spanOf } from './page.ts';

export async function journalPage({ db, clock }: Pick<Deps, 'db' | 'clock'>, userId: string, query: PageQuery) {
  const { rows, total } = await listUndoable(db, { userId, now: clock.now(), ...spanOf(query) });
  return pageOf(rows.map(asJournalRow), total, query);
}

function asJournalRow(row: OperationRow): JournalRow {
  const detail = readDetail(row);
  const [from, to] =
    'from' in detail
      ? [detail.from, detail.to]
      : 'from_group' in detail
        ? [detail.from_group, detail.to_group]
        : [null, null];
  return {
    ...asOperation(row),
    target_kind: row.target_kind,
    target_id: row.target_id,
    target_ids: 'entries' in detail && detail.entries !== undefined ? [...detail.entries] : [row.target_id],
    title: row.title,
    from,
    to,
    created_at: new Date(row.created_at).toISOString(),
  };
}
