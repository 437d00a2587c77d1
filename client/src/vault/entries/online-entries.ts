/** A move wraps every content key for the target group, in the worker (docs/spec/crypto.md §12). */
import { v7 as newId } from 'uuid';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { EntryMarks, EntryPath, VaultWrite, Watched } from '../vault.ts';

type EntryWrites = Pick<
  VaultWrite,
  'createEntry' | 'renameEntry' | 'markEntry' | 'tagsInUse' | 'removeEntries' | 'moveEntries' | 'undoEntryMove'
>;

interface Way {
  readonly fromGroupId: string;
  readonly toGroupId: string;
  readonly entryIds: readonly string[];
  readonly toHash?: string | undefined;
}

/** The server is silent while it compares and stores up to fifty thousand wraps. */
const STORING_SILENCE_MS = 120_000;

export function onlineEntries(http: Http, keyring: VaultKeyring, keys: OnlineKeys): EntryWrites {
  const paramsOf = ({ entryGroupId, entryId }: EntryPath) => ({ g: entryGroupId, e: entryId });

  /** Lists and wraps again if somebody wrote a revision meanwhile. */
  function underBothKeys<T>(
    way: Way,
    watched: Watched,
    write: (keys: Awaited<ReturnType<typeof rewrap>>) => Promise<T>,
  ): Promise<T> {
    const groups = [way.fromGroupId, way.toGroupId];
    const stale = ['key_version_conflict', 'rewrap_set_mismatch'] as const;
    return keys.withCurrentKeys(groups, async () => write(await rewrap(way, watched)), stale);
  }

  async function rewrap({ fromGroupId, toGroupId, entryIds, toHash }: Way, { signal, onProgress }: Watched) {
    const { gk_version, rows } = await http.call(entries.wraps, {
      params: { g: fromGroupId },
      body: { entries: [...entryIds] },
      signal,
    });
    await keys.open(fromGroupId, gk_version, signal);
    // A rotation has not finished: some rows are under a former key.
    if (rows.some((row) => row.gk_version < gk_version)) await keys.openOlder(fromGroupId, signal);
    const input = { fromGroupId, toGroupId, entryIds, rows, toHash };
    return keyring.call('rewrap', input, {
      signal,
      onProgress: ({ done, total }) => onProgress?.(total === 0 ? 1 : done / total),
    });
  }

  return {
    createEntry: async (g, title, entryId = newId(), marks: Partial<EntryMarks> = {}) => {
      const body = { title, entry_id: entryId, ...sent(marks) };
      const { value, operationId } = await http.callUndoable(entries.create, { params: { g }, body });
      return { ...value, operationId };
    },

    markEntry: (path, marks) => http.call(entries.mark, { params: paramsOf(path), body: sent(marks) }),

    tagsInUse: async (signal) => (await http.call(entries.tagsInUse, { query: {}, signal })).map(({ tag }) => tag),

    renameEntry: (path, title) => http.callUndoable(entries.rename, { params: paramsOf(path), body: { title } }),

    removeEntries: (g, entryIds) => http.call(entries.removeMany, { params: { g }, body: { entries: [...entryIds] } }),

    moveEntries: (fromGroupId, entryIds, toGroupId, watched = {}) =>
      underBothKeys({ fromGroupId, toGroupId, entryIds }, watched, (rewrapped) =>
        http.callUndoable(entries.moveMany, {
          params: { g: fromGroupId },
          body: { entries: [...entryIds], entryGroupTarget: toGroupId, ...rewrapped },
          signal: watched.signal,
          silenceMs: STORING_SILENCE_MS,
        }),
      ),

    undoEntryMove: ({ operationId, fromGroupId, toGroupId, entryIds, shownList: toHash }, watched = {}) =>
      underBothKeys({ fromGroupId: toGroupId, toGroupId: fromGroupId, entryIds, toHash }, watched, (rewrapped) =>
        http.call(operations.undo, {
          params: { operationId },
          body: { ...rewrapped, from_entry_group_id: fromGroupId, to_entry_group_id: toGroupId },
          isProven: true,
          signal: watched.signal,
          silenceMs: STORING_SILENCE_MS,
        }),
      ),
  };
}

const sent = ({ tags, ...icon }: Partial<EntryMarks>) => ({
  ...(tags === undefined ? {} : { tags: [...tags] }),
  ...icon,
});
