/** Entries that go back to the group that they were moved from. */
import type { JournalRow } from '@passwordbroker/core/contract/entities';
import type { ListedPerson } from '@passwordbroker/core/domain/trust/list-difference';
import type { EntryMove, Vault } from '../vault.ts';

export interface MoveBack {
  /** Contains only entries that still are in the group that they were moved to. */
  readonly move: EntryMove;
  /** Verified name of the group that they return to; null: unknown. */
  readonly group: string | null;
  readonly titles: readonly string[];
  /** Signed members of the group that they return to, without the person. */
  readonly readers: readonly ListedPerson[];
  /** Readers who cannot read the entries now. Empty: no question. */
  readonly newReaders: readonly ListedPerson[];
}

export type EntryMoveRow = JournalRow & { readonly from: string; readonly to: string };

export const isEntryMove = (row: JournalRow): row is EntryMoveRow =>
  row.kind === 'move' && row.target_kind === 'entry' && row.from !== null && row.to !== null;

/**
 * What the undo of a move would do, by the signed lists of both groups: the journal row is unverified. Needs an unlocked
 * vault.
 * @throws KeyringError for a group that does not open; AppError
 */
export async function lookAtMoveBack(vault: Vault, row: EntryMoveRow, selfId: string): Promise<MoveBack> {
  const { read } = vault;
  const { operation_id: operationId, from: fromGroupId, to: toGroupId, target_ids } = row;
  const opened = Promise.all([read.examine(fromGroupId), read.examine(toGroupId)]);
  const [there] = await Promise.all([read.entries(toGroupId), opened]);
  const wanted = new Set(target_ids);
  const entries = there.filter(({ entry_id }) => wanted.has(entry_id));
  const target = vault.trust?.details(fromGroupId);
  const present = new Map(peopleOf(vault, toGroupId).map(({ userId, fingerprint }) => [userId, fingerprint]));
  const others = peopleOf(vault, fromGroupId).filter(({ userId }) => userId !== selfId);
  return {
    move: {
      operationId,
      fromGroupId,
      toGroupId,
      entryIds: entries.map(({ entry_id }) => entry_id),
      ...(target?.newest ? { shownList: target.newest.hash } : {}),
    },
    group: target?.path.at(-1) ?? null,
    titles: entries.map(({ title }) => title),
    readers: others,
    newReaders: others.filter(({ userId, fingerprint }) => present.get(userId) !== fingerprint),
  };
}

const peopleOf = ({ trust }: Vault, groupId: string): readonly ListedPerson[] =>
  trust?.details(groupId)?.newest?.people ?? [];
