import { useMemo } from 'react';
import type { Entry, EntryGroup } from '@passwordbroker/core/contract/entities';
import { AddEntryDialog } from '../../entries/dialogs/add-entry-dialog.tsx';
import { MoveEntriesDialog } from '../../entries/dialogs/move-entries-dialog.tsx';
import { RemoveEntriesDialog } from '../../entries/dialogs/remove-entries-dialog.tsx';
import { RenameEntryDialog } from '../../entries/dialogs/rename-entry-dialog.tsx';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { AddChildGroup } from '../dialogs/add-child-group.tsx';
import { moveTargets } from '../move/move-targets.ts';
import { useGroupTree } from '../tree/use-group-tree.ts';

export type EntryDialog =
  | { readonly kind: 'add entry' | 'add child' }
  | { readonly kind: 'rename'; readonly entry: Entry }
  | { readonly kind: 'move' | 'remove'; readonly ids: ReadonlySet<string> };

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
    case 'rename':
      return <RenameEntryDialog entry={dialog.entry} group={group} write={write} onClose={onClose} />;
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
          write={write}
          onClose={onClose}
        />
      );
  }
}

type MoveProps = Pick<Props, 'group' | 'entries' | 'write' | 'onClose'>;

function MoveEntries({ group, ...rest }: MoveProps) {
  const { tree } = useGroupTree();
  const targets = useMemo(() => (tree === null ? null : moveTargets(tree, group.entry_group_id)), [tree, group]);
  return <MoveEntriesDialog group={group} targets={targets} roles={TEXTS.roles} {...rest} />;
}
