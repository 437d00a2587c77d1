/** An act of the journal in words. */
import type { JournalRow } from '@passwordbroker/core/contract/entities';
import { TRASH_TEXTS as TEXTS } from '../texts/trash.ts';

/** @param nameOf the title of a group that the person can see */
export function toldAct(row: JournalRow, nameOf: (groupId: string) => string | undefined): string {
  const place = (id: string | null) => (id === null ? TEXTS.theRoot : (nameOf(id) ?? TEXTS.unknownGroup));
  if (row.kind === 'import') return TEXTS.imported(row.title);
  if (row.kind === 'rename') return TEXTS.renamed(row.target_kind, row.from ?? row.title, row.to ?? row.title);
  if (row.target_kind === 'entry_group') return TEXTS.movedGroup(row.title, place(row.from), place(row.to));
  return TEXTS.movedEntries(row.title, row.target_ids.length - 1, place(row.from), place(row.to));
}
