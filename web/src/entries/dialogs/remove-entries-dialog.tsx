import { useState } from 'react';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import { BULK_TEXTS as TEXTS, ENTRY_TEXTS } from '../../texts/entries/entries.ts';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { useEntryActions } from './use-entry-actions.ts';

interface Props {
  readonly group: EntryGroup;
  /** The entries that remain; fewer after a partial failure. */
  readonly entries: readonly Entry[];
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Asks before entries go to the trash. Needs no master password (docs/spec/product.md §6). */
export function RemoveEntriesDialog({ group, entries, write, onClose }: Props) {
  const actions = useEntryActions(write);
  const [asked] = useState(entries);
  const [only] = asked;
  const isOne = asked.length === 1 && only !== undefined;
  const remove = async () => {
    await actions.remove(
      group.entry_group_id,
      entries.map((entry) => entry.entry_id),
    );
    onClose();
  };
  return (
    <ConfirmDialog
      title={isOne ? TEXTS.removeOne(only.title) : TEXTS.removeMany(asked.length)}
      cancel={TEXTS.cancel}
      confirm={isOne ? ENTRY_TEXTS.remove : TEXTS.remove}
      confirming={TEXTS.removing}
      onConfirm={remove}
      onClose={onClose}
      problemOf={() => TEXTS.failed}
    >
      {TEXTS.removeText(asked.length, group.title)}
    </ConfirmDialog>
  );
}
