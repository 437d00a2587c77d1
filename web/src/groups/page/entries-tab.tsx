import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { Plus } from 'lucide-react';
import type { Entry, GroupAnswer } from '@passwordbroker/core/contract/entities';
import { can } from '@passwordbroker/core/domain/policy';
import { BulkBar } from '../../entries/bulk-bar.tsx';
import { EntriesSkeleton } from '../../entries/table/entries-skeleton.tsx';
import { EntriesTable } from '../../entries/table/entries-table.tsx';
import { BY_TITLE, ordered, orderAfter, type EntryColumn } from '../../entries/table/entry-order.ts';
import { entryVerbs } from '../../entries/table/entry-verbs.tsx';
import { useLinkedEntry } from '../../entries/table/use-linked-entry.ts';
import { useSelection } from '../../entries/table/use-selection.ts';
import { loadingOf } from '../../lib/loading.ts';
import { ENTRY_TEXTS } from '../../texts/entries/entries.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { useGroupWhyNot } from '../../trust/use-trust-state.ts';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import { EntryDialogs, type EntryDialog } from './entry-dialogs.tsx';
import { EntryTools } from './entry-tools.tsx';
import styles from './group-page.module.css';
import { useEntries } from './use-group.ts';

interface Props {
  readonly answer: GroupAnswer;
  /** 'Engineering / Databases / Production' */
  readonly path: string;
}

const NONE: readonly Entry[] = [];

export function EntriesTab({ answer, path }: Props) {
  const { entryGroup, role } = answer;
  const { write } = useVault();
  const whyNot = useWhyNot();
  const whyNotSeal = useGroupWhyNot(entryGroup.entry_group_id);
  const [dialog, setDialog] = useState<EntryDialog | null>(null);
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
  const verbs = useMemo(
    () =>
      entryVerbs(
        mayWrite
          ? {
              onRename: (entry) => setDialog({ kind: 'rename', entry }),
              onMove: ({ entry_id }) => setDialog({ kind: 'move', ids: new Set([entry_id]) }),
              onRemove: ({ entry_id }) => setDialog({ kind: 'remove', ids: new Set([entry_id]) }),
            }
          : null,
        whyNot,
        whyNotSeal,
      ),
    [mayWrite, whyNot, whyNotSeal],
  );
  const reorder = useCallback((column: EntryColumn) => setOrder((before) => orderAfter(before, column)), []);
  const chosen = (kind: 'move' | 'remove') =>
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
          shown={linked.shown}
          isCovered={dialog !== null}
          onAdd={whyNotSeal === null ? addEntry : null}
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
