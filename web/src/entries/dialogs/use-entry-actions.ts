import { useMemo } from 'react';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { tellDone } from '../../activity-log/activity-log.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { BULK_TEXTS, ENTRY_TEXTS } from '../../texts/entries/entries.ts';
import { MARK_TEXTS } from '../../texts/entries/marks.ts';
import { marksOf } from '../marks/mark-inputs.tsx';
import type { EntryMarks, EntryMove, VaultWrite } from '@passwordbroker/client/vault/vault';
import { useQueryClient } from '@tanstack/react-query';
import { useVault } from '../../vault/use-vault.ts';

interface MoveTarget {
  readonly id: string;
  readonly title: string;
}

interface EntryActions {
  rename(entry: Entry, title: string): Promise<void>;
  /** Sends what differs. */
  mark(entry: Entry, marks: EntryMarks): Promise<void>;
  /** After a partial failure, deleted entries leave the list and can be restored. */
  remove(groupId: string, entryIds: readonly string[]): Promise<void>;
  /** Returns false if the person cancelled: the rest was not moved. */
  move(move: Move, watched: WatchedMove): Promise<boolean>;
}

interface Move {
  readonly from: MoveTarget;
  readonly to: MoveTarget;
  readonly entryIds: readonly string[];
}

interface WatchedMove {
  readonly signal: AbortSignal;
  /** From 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/** Renames, deletes and moves entries, each with a notice that offers Undo. */
export function useEntryActions(write: VaultWrite): EntryActions {
  const listed = useListedEntries();
  const masterPassword = useMasterPassword();
  return useMemo(() => {
    const moveAll = async ({ from, to, entryIds }: Move, { signal, onProgress }: WatchedMove, done: EntryMove[]) => {
      const portions = inPortions(entryIds);
      for (const [at, portion] of portions.entries()) {
        signal.throwIfAborted();
        const watched = { signal, onProgress: (fraction: number) => onProgress((at + fraction) / portions.length) };
        const label = BULK_TEXTS.moveAction(entryIds.length, to.title);
        const { operationId } = await masterPassword.use(() => write.moveEntries(from.id, portion, to.id, watched), {
          label,
        });
        listed.drop(from.id, portion);
        if (operationId !== null) done.push({ operationId, fromGroupId: from.id, toGroupId: to.id, entryIds: portion });
      }
    };
    const moveBack = async (moves: readonly EntryMove[], { from, to }: Move) => {
      const label = BULK_TEXTS.undoMoveAction(from.title);
      try {
        for (const move of moves.toReversed()) {
          await masterPassword.use(() => write.undoEntryMove(move), { label });
          listed.drop(to.id, move.entryIds);
        }
      } finally {
        await listed.reload(from.id, to.id);
      }
      return BULK_TEXTS.moveUndone(from.title);
    };
    const restoreAll = async (groupId: string, operations: readonly string[], count: number) => {
      try {
        for (const operationId of operations.toReversed()) await write.undo(operationId);
      } finally {
        await listed.reload(groupId);
      }
      return BULK_TEXTS.removeUndone(count);
    };

    return {
      async rename(entry, title) {
        const groupId = entry.entry_group_id;
        const { operationId } = await write.renameEntry({ entryGroupId: groupId, entryId: entry.entry_id }, title);
        await listed.reload(groupId);
        const undo = async (id: string) => {
          await write.undo(id);
          await listed.reload(groupId);
          return ENTRY_TEXTS.renameUndone(entry.title);
        };
        tellDone(ENTRY_TEXTS.renamed(entry.title, title), operationId === null ? null : () => undo(operationId));
      },

      async mark(entry, marks) {
        const groupId = entry.entry_group_id;
        const before = marksOf(entry);
        const changed = differing(marks, before);
        if (Object.keys(changed).length === 0) return;
        const set = async (wanted: Partial<EntryMarks>) => {
          await write.markEntry({ entryGroupId: groupId, entryId: entry.entry_id }, wanted);
          await listed.reload(groupId);
        };
        await set(changed);
        const undo = async () => {
          await set(differing(before, marks));
          return MARK_TEXTS.undone(entry.title);
        };
        tellDone(MARK_TEXTS.saved(entry.title), undo);
      },

      async remove(groupId, entryIds) {
        const operations: string[] = [];
        let count = 0;
        try {
          for (const portion of inPortions(entryIds)) {
            const { operation_id } = await write.removeEntries(groupId, portion);
            operations.push(operation_id);
            count += portion.length;
            listed.drop(groupId, portion);
          }
        } finally {
          if (count > 0) tellDone(BULK_TEXTS.removed, () => restoreAll(groupId, operations, count));
          void listed.reload(groupId);
        }
      },

      async move(move, watched) {
        const moves: EntryMove[] = [];
        try {
          await moveAll(move, watched, moves);
          return true;
        } catch (failure) {
          if (failure instanceof MasterPasswordCancelled || watched.signal.aborted) return false;
          throw failure;
        } finally {
          if (moves.length > 0) tellDone(BULK_TEXTS.moved(move.to.title), () => moveBack(moves, move));
          void listed.reload(move.from.id, move.to.id);
        }
      },
    };
  }, [listed, masterPassword, write]);
}

/** Splits entries into as few calls as the server allows (docs/spec/api.md §1.6). */
export function inPortions<T>(all: readonly T[], size: number = LIMITS.bulkEntries): readonly (readonly T[])[] {
  const portions: T[][] = [];
  for (let at = 0; at < all.length; at += size) portions.push(all.slice(at, at + size));
  return portions;
}

interface ListedEntries {
  /** Refetches the lists of these groups and waits for them. Invalidates searches, tags and trash. */
  reload(...groupIds: readonly string[]): Promise<void>;
  /** Removes entries from a cached list at once. */
  drop(groupId: string, entryIds: readonly string[]): void;
}

/** Updates cached lists of entries after a write. */
export function useListedEntries(): ListedEntries {
  const { mode } = useVault();
  const client = useQueryClient();
  return useMemo(
    () => ({
      async reload(...groupIds) {
        void client.invalidateQueries({ queryKey: [mode, 'search'] });
        void client.invalidateQueries({ queryKey: [mode, 'trash'] });
        void client.invalidateQueries({ queryKey: [mode, 'tags'] });
        await Promise.all(
          groupIds.map((groupId) => client.invalidateQueries({ queryKey: [mode, 'entries', groupId] })),
        );
      },
      drop(groupId, entryIds) {
        const gone = new Set(entryIds);
        client.setQueryData<readonly Entry[]>([mode, 'entries', groupId], (before) =>
          before?.filter((entry) => !gone.has(entry.entry_id)),
        );
        for (const entryId of entryIds) client.removeQueries({ queryKey: [mode, 'fields', entryId] });
      },
    }),
    [client, mode],
  );
}

/** Members that are not as in `others`. */
function differing(marks: EntryMarks, others: EntryMarks): Partial<EntryMarks> {
  const isOther = (name: string) =>
    JSON.stringify(marks[name as keyof EntryMarks]) !== JSON.stringify(others[name as keyof EntryMarks]);
  return Object.fromEntries(Object.entries(marks).filter(([name]) => isOther(name)));
}
