import { AddGroupDialog } from '../groups/dialogs/add-group-dialog.tsx';
import { useTreeAround } from '../groups/tree/use-group-tree.ts';
import { ImportDialog } from '../import/import-dialog.tsx';
import { useVault } from '../vault/use-vault.ts';

export interface ActionDialogProps {
  readonly action: 'add tree' | 'import';
  readonly onClose: () => void;
}

/** The dialogs of the side panel, opened from the search box. */
export function ActionDialog({ action, onClose }: ActionDialogProps) {
  const { write } = useVault();
  const around = useTreeAround();
  if (action === 'add tree') return <AddGroupDialog parent={null} onClose={onClose} />;
  return write === null ? null : <ImportDialog write={write} tree={around} onClose={onClose} />;
}
