import { useMemo, useState } from 'react';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { PreviewLine } from '../../access/preview-line.tsx';
import { AddEntryDialog } from '../../entries/dialogs/add-entry-dialog.tsx';
import { EditEntryDialog } from '../../entries/dialogs/edit-entry-dialog.tsx';
import { MoveEntriesDialog } from '../../entries/dialogs/move-entries-dialog.tsx';
import { ExportDialog } from '../../export/open-export.tsx';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { AddChildGroup } from '../dialogs/add-group-dialog.tsx';
import { moveTargets } from '../../entries/group-picker/find-targets.ts';
import { useGroupTree } from '../tree/use-group-tree.ts';
import { BULK_TEXTS, ENTRY_TEXTS } from '../../texts/entries/entries.ts';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { useEntryActions } from '../../entries/dialogs/use-entry-actions.ts';

export type EntryDialog =
  | { readonly kind: 'add entry' | 'add child' }
  | { readonly kind: 'edit'; readonly entry: Entry }
  /** `to`: the group that they were dropped on. */
  | { readonly kind: 'move' | 'remove' | 'export'; readonly ids: ReadonlySet<string>; readonly to?: string };

interface Props {
  readonly dialog: EntryDialog;
  readonly group: EntryGroup;
  /** 'Engineering / Databases / Production' */
  readonly path: string;
  readonly entries: readonly Entry[];
  readonly write: VaultWrite;
  readonly onShow: (entry: Entry) => void;
  readonly onClose: () => void;
}

export function EntryDialogs({ dialog, group, path, entries, write, onShow, onClose }: Props) {
  switch (dialog.kind) {
    case 'add child':
      return <AddChildGroup group={group} path={path} onClose={onClose} />;
    case 'add entry':
      return <AddEntryDialog group={group} write={write} onAdded={onShow} onClose={onClose} />;
    case 'edit':
      return <EditEntryDialog entry={dialog.entry} group={group} write={write} onClose={onClose} />;
    case 'export':
      return (
        <ExportDialog
          what={{ kind: 'entries', groupId: group.entry_group_id, entryIds: [...dialog.ids] }}
          write={write}
          onClose={onClose}
        />
      );
    case 'remove':
      return (
        <RemoveEntriesDialog
          group={group}
          entries={entries.filter((entry) => dialog.ids.has(entry.entry_id))}
          write={write}
          onClose={onClose}
        />
      );
    case 'move':
      return (
        <MoveEntries
          group={group}
          entries={entries.filter((entry) => dialog.ids.has(entry.entry_id))}
          to={dialog.to ?? null}
          write={write}
          onClose={onClose}
        />
      );
  }
}

type MoveProps = Pick<Props, 'group' | 'entries' | 'write' | 'onClose'> & { readonly to: string | null };

function MoveEntries({ group, ...rest }: MoveProps) {
  const { tree } = useGroupTree();
  const targets = useMemo(() => (tree === null ? null : moveTargets(tree, group.entry_group_id)), [tree, group]);
  return <MoveEntriesDialog group={group} targets={targets} roles={TEXTS.roles} {...rest} />;
}

interface RemoveEntriesDialogProps {
  readonly group: EntryGroup;
  /** The entries that remain; fewer after a partial failure. */
  readonly entries: readonly Entry[];
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Asks before entries go to the trash. Needs no master password (docs/spec/product.md §6). */
function RemoveEntriesDialog({ group, entries, write, onClose }: RemoveEntriesDialogProps) {
  const actions = useEntryActions(write);
  const [asked] = useState(entries);
  const [only] = asked;
  const [act] = useState(() => ({
    kind: 'delete-entries' as const,
    entry_group_id: group.entry_group_id,
    entries: asked.slice(0, LIMITS.bulkEntries).map(({ entry_id }) => entry_id),
  }));
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
      title={isOne ? BULK_TEXTS.removeOne(only.title) : BULK_TEXTS.removeMany(asked.length)}
      cancel={BULK_TEXTS.cancel}
      confirm={isOne ? ENTRY_TEXTS.remove : BULK_TEXTS.remove}
      confirming={BULK_TEXTS.removing}
      onConfirm={remove}
      onClose={onClose}
      problemOf={() => BULK_TEXTS.failed}
    >
      {BULK_TEXTS.removeText(asked.length, group.title)}
      <PreviewLine act={act} />
    </ConfirmDialog>
  );
}
