import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { Plus } from 'lucide-react';
import type { Entry, GroupAnswer, ListedEntry } from '@passwordbroker/core/contract/entities';
import { can } from '@passwordbroker/core/domain/policy';
import { BulkBar, EntryTools } from './entry-tools.tsx';
import { EntriesSkeleton, EntriesTable, type ShownEntry } from '../../entries/table/entries-table.tsx';
import { BY_TITLE, ordered, orderAfter, type EntryColumn } from '../../entries/table/entry-order.ts';
import { WhoCanSee } from '../../access/who-can-see.tsx';
import { keptEntryPlace } from '../../entries/dialogs/add-entry-dialog.tsx';
import { useReturnedDraft } from '../../drafts/use-draft.ts';
import { useTakePart } from '../../entries/entry-parts.ts';
import { entryVerbs } from '../../entries/table/entry-row.tsx';
import { useSelection } from '../../entries/table/use-selection.ts';
import { loadingOf } from '../../lib/loading.ts';
import { ENTRY_TEXTS } from '../../texts/entries/entries.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { useGroupWhyNot } from '../../trust/use-trust-state.ts';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import { EntryDialogs, type EntryDialog } from './entry-dialogs.tsx';
import styles from './group-page.module.css';
import { useLocation, useSearchParams } from 'react-router';
import { ENTRY_PARAM } from '../../entries/entry-address.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import type { Vault } from '@passwordbroker/client/vault/vault';

interface Props {
  readonly answer: GroupAnswer;
  /** 'Engineering / Databases / Production' */
  readonly path: string;
}

const NONE: readonly ListedEntry[] = [];

export function EntriesTab({ answer, path }: Props) {
  const { entryGroup, role } = answer;
  const { write } = useVault();
  const whyNot = useWhyNot();
  const whyNotSeal = useGroupWhyNot(entryGroup.entry_group_id);
  const [dialog, setDialog] = useState<EntryDialog | null>(null);
  const [asked, setAsked] = useState<Entry | null>(null);
  const [order, setOrder] = useState(BY_TITLE);
  const query = useEntries(entryGroup.entry_group_id);
  const state = loadingOf(query);
  const byTitle = query.data ?? NONE;
  const entries = useMemo(() => ordered(byTitle, order), [byTitle, order]);
  const selection = useSelection(entries);
  const linked = useLinkedEntry(query.data);

  const mayWrite = can(role.role, 'entry.write');
  const hasEntries = entries.length > 0;
  // The table renders deferred, so that the rest of the tab responds meanwhile.
  const isTableDue = useDeferredValue(hasEntries);
  const addEntry = mayWrite ? () => setDialog({ kind: 'add entry' }) : null;
  const isFree = dialog === null && mayWrite && write !== null && whyNotSeal === null;
  useReturnedDraft(keptEntryPlace(entryGroup.entry_group_id), isFree, () => setDialog({ kind: 'add entry' }));
  const copy = useTakePart();
  const verbs = useMemo(
    () =>
      entryVerbs(
        mayWrite
          ? {
              onEdit: (entry) => setDialog({ kind: 'edit', entry }),
              onMove: ({ entry_id }) => setDialog({ kind: 'move', ids: new Set([entry_id]) }),
              onRemove: ({ entry_id }) => setDialog({ kind: 'remove', ids: new Set([entry_id]) }),
            }
          : null,
        { onCopy: copy, onWhoCanSee: setAsked },
        whyNot,
        whyNotSeal,
      ),
    [mayWrite, copy, whyNot, whyNotSeal],
  );
  const reorder = useCallback((column: EntryColumn) => setOrder((before) => orderAfter(before, column)), []);
  const { chosen: chosenIds } = selection;
  const drag = useCallback(
    (id: string) => ({
      fromGroupId: entryGroup.entry_group_id,
      onDrop: (to: string) => setDialog({ kind: 'move', ids: chosenIds.has(id) ? chosenIds : new Set([id]), to }),
    }),
    [entryGroup.entry_group_id, chosenIds],
  );
  const chosen = (kind: 'move' | 'remove' | 'export') =>
    write === null ? null : () => setDialog({ kind, ids: selection.chosen });

  return (
    <>
      <EntryTools
        selection={mayWrite && hasEntries ? selection : null}
        order={order}
        onOrder={hasEntries ? reorder : null}
        // An empty group has this button in its middle.
        add={
          mayWrite ? { onChild: () => setDialog({ kind: 'add child' }), onEntry: hasEntries ? addEntry : null } : null
        }
        whyNot={whyNot}
        whyNotEntry={whyNotSeal}
      >
        {mayWrite && hasEntries && (
          <BulkBar
            count={selection.chosen.size}
            onMove={chosen('move')}
            onExport={chosen('export')}
            onRemove={chosen('remove')}
            whyNot={whyNot}
            whyNotMove={whyNotSeal}
            onClear={selection.verbs.none}
          />
        )}
      </EntryTools>
      {(state === 'required loading' || state === 'loading' || (hasEntries && !isTableDue)) && <EntriesSkeleton />}
      {query.error !== null && !query.isFetching && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[ENTRY_TEXTS.failed, query.error.message]} />
          <Button variant="secondary" size="sm" onPress={() => void query.refetch()}>
            {ENTRY_TEXTS.retry}
          </Button>
        </div>
      )}
      {linked.isMissing && (
        <div className={styles['note']}>
          <MessageBox tone="info" lines={[ENTRY_TEXTS.linkedMissing]} />
        </div>
      )}
      {query.data?.length === 0 && (
        <EmptyState
          title={ENTRY_TEXTS.empty}
          text={mayWrite ? ENTRY_TEXTS.emptyHint : ENTRY_TEXTS.emptyForMember}
          {...(addEntry === null
            ? {}
            : {
                action: (
                  <Button variant="primary" size="sm" icon={<Plus size={16} />} whyNot={whyNotSeal} onPress={addEntry}>
                    {ENTRY_TEXTS.add}
                  </Button>
                ),
              })}
        />
      )}
      {hasEntries && isTableDue && (
        <EntriesTable
          entries={entries}
          role={role.role}
          order={order}
          onOrder={reorder}
          selection={mayWrite ? selection : null}
          verbs={verbs}
          onCopy={copy}
          shown={linked.shown}
          isCovered={dialog !== null || asked !== null}
          onDrag={mayWrite && whyNotSeal === null ? drag : null}
          onAdd={whyNotSeal === null ? addEntry : null}
        />
      )}
      {asked !== null && (
        <WhoCanSee
          group={{ id: entryGroup.entry_group_id, title: entryGroup.title }}
          entry={{ id: asked.entry_id, title: asked.title }}
          selfId={role.user_id}
          onClose={() => setAsked(null)}
        />
      )}
      {dialog !== null && write !== null && (
        <EntryDialogs
          dialog={dialog}
          group={entryGroup}
          path={path}
          entries={entries}
          write={write}
          onShow={linked.show}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

interface LinkedEntry {
  readonly shown: ShownEntry | null;
  /** True if the entry of the address is not in the list. */
  readonly isMissing: boolean;
  readonly show: (entry: Entry) => void;
}

/**
 * The entry to bring into view: the one in the address (`?entry=`), or one that was just added.
 * @param entries undefined while they are loading
 */
function useLinkedEntry(entries: readonly Entry[] | undefined): LinkedEntry {
  const [params] = useSearchParams();
  // Each visit counts, also of the same address.
  const { key } = useLocation();
  const id = params.get(ENTRY_PARAM);
  const [found, setFound] = useState<string | null>(null);
  const [added, setAdded] = useState<ShownEntry | null>(null);
  const isHere = id !== null && (entries?.some((entry) => entry.entry_id === id) ?? false);
  const visit = `${key} ${id}`;
  // Later deleting or moving it does not make it missing.
  if (isHere && found !== visit) setFound(visit);
  const linked = useMemo(() => (isHere && visit !== '' ? { id, isOpen: true } : null), [isHere, id, visit]);
  return {
    shown: added ?? linked,
    isMissing: id !== null && entries !== undefined && !isHere && found !== visit,
    show: useCallback((entry: Entry) => setAdded({ id: entry.entry_id, isOpen: false }), []),
  };
}

const ALWAYS = { networkMode: 'always', retry: false } as const;

function groupQuery(vault: Vault, groupId: string) {
  return queryOptions({
    queryKey: [vault.mode, 'group', groupId],
    queryFn: ({ signal }) => vault.read.group(groupId, signal),
    ...ALWAYS,
  });
}

function entriesQuery(vault: Vault, groupId: string) {
  return queryOptions({
    queryKey: [vault.mode, 'entries', groupId],
    queryFn: async ({ signal }) => {
      const entries = await vault.read.entries(groupId, signal);
      return entries.map((entry) => ({ ...entry, id: entry.entry_id })).sort(compareTitles);
    },
    ...ALWAYS,
  });
}

export function useGroup(groupId: string) {
  return useQuery(groupQuery(useVault(), groupId));
}

export function useEntries(groupId: string) {
  return useQuery(entriesQuery(useVault(), groupId));
}
