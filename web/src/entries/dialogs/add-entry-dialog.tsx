import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import { activityLog } from '../../activity-log/activity-log.ts';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { EntryTitleDialog } from './entry-title-dialog.tsx';
import { useListedEntries } from './use-listed-entries.ts';

interface Props {
  readonly group: EntryGroup;
  readonly write: VaultWrite;
  readonly onAdded: (entry: Entry) => void;
  readonly onClose: () => void;
}

export function AddEntryDialog({ group, write, onAdded, onClose }: Props) {
  const listed = useListedEntries();
  const add = async (title: string) => {
    const entry = await write.createEntry(group.entry_group_id, title);
    activityLog.add(TEXTS.added(title));
    await listed.reload(group.entry_group_id);
    onAdded(entry);
    onClose();
  };
  return (
    <EntryTitleDialog
      name={TEXTS.dialog}
      group={group.title}
      submit={TEXTS.addButton}
      submitting={TEXTS.adding}
      onSubmit={add}
      onClose={onClose}
    />
  );
}
