/** The entries of a group with what may be added to it. */
import { useState } from 'react';
import { Plus } from 'lucide-react';
import type { GroupAnswer } from '@passwordbroker/core/contract/entities';
import { can } from '@passwordbroker/core/domain/policy';
import { AddEntryDialog } from '../entries/add-entry-dialog.tsx';
import { EntriesSkeleton } from '../entries/entries-skeleton.tsx';
import { EntriesTable } from '../entries/entries-table.tsx';
import { loadingOf } from '../lib/loading.ts';
import { ENTRY_TEXTS } from '../texts/entries.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { AddChildGroup } from './add-child-group.tsx';
import { EntryTools } from './entry-tools.tsx';
import styles from './group-page.module.css';
import { useEntries } from './use-group.ts';

interface Props {
  readonly answer: GroupAnswer;
  /** 'Engineering / Databases / Production' */
  readonly path: string;
}

export function EntriesTab({ answer, path }: Props) {
  const { entryGroup, role } = answer;
  const [dialog, setDialog] = useState<'entry' | 'child' | null>(null);
  const entries = useEntries(entryGroup.entry_group_id);
  const state = loadingOf(entries);
  const mayAdd = can(role.role, 'entry.write');
  const addEntry = mayAdd ? () => setDialog('entry') : null;
  const close = () => setDialog(null);
  return (
    <>
      {mayAdd ? (
        <EntryTools
          onAddChild={() => setDialog('child')}
          // An empty group offers the same in its middle.
          onAddEntry={entries.data?.length === 0 ? null : () => setDialog('entry')}
        />
      ) : (
        <div className={styles['toolsEmpty']} />
      )}
      {(state === 'required loading' || state === 'loading') && <EntriesSkeleton />}
      {entries.error !== null && !entries.isFetching && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[ENTRY_TEXTS.failed, entries.error.message]} />
          <Button variant="secondary" size="sm" onPress={() => void entries.refetch()}>
            {ENTRY_TEXTS.retry}
          </Button>
        </div>
      )}
      {entries.data?.length === 0 && (
        <EmptyState
          title={ENTRY_TEXTS.empty}
          text={mayAdd ? ENTRY_TEXTS.emptyHint : ENTRY_TEXTS.emptyForMember}
          {...(addEntry === null
            ? {}
            : {
                action: (
                  <Button variant="primary" size="sm" icon={<Plus size={16} />} onPress={addEntry}>
                    {ENTRY_TEXTS.add}
                  </Button>
                ),
              })}
        />
      )}
      {entries.data !== undefined && entries.data.length > 0 && (
        <EntriesTable entries={entries.data} role={role.role} onAdd={addEntry} />
      )}
      {dialog === 'entry' && <AddEntryDialog group={entryGroup} onClose={close} />}
      {dialog === 'child' && <AddChildGroup group={entryGroup} path={path} onClose={close} />}
    </>
  );
}
