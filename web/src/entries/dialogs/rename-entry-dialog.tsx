import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { EntryTitleDialog } from './entry-title-dialog.tsx';
import { useEntryActions } from './use-entry-actions.ts';

interface Props {
  readonly entry: Entry;
  readonly group: EntryGroup;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

export function RenameEntryDialog({ entry, group, write, onClose }: Props) {
  const actions = useEntryActions(write);
  const rename = async (title: string) => {
    if (title !== entry.title) await actions.rename(entry, title);
    onClose();
  };
  return (
    <EntryTitleDialog
      name={TEXTS.renameDialog}
      group={group.title}
      title={entry.title}
      submit={TEXTS.renameButton}
      submitting={TEXTS.renaming}
      onSubmit={rename}
      onClose={onClose}
    />
  );
}
