import { useQuery } from '@tanstack/react-query';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { useVault } from '../../vault/use-vault.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import type { GroupNode, GroupTree } from '../tree/group-tree.ts';
import { useGroupActions } from './use-group-actions.ts';

interface Props {
  readonly group: GroupNode;
  readonly tree: GroupTree;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Asks before a group goes to the trash, and counts its contents (docs/spec/product.md §4). */
export function RemoveGroupDialog({ group, tree, write, onClose }: Props) {
  const vault = useVault();
  const actions = useGroupActions(write);
  const { data, error } = useQuery({
    queryKey: [vault.mode, 'removal', group.id],
    queryFn: ({ signal }) => vault.read.removal(group.id, signal),
    networkMode: 'always',
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  const weight = () => {
    if (error !== null) return TEXTS.countFailed;
    if (data === undefined) return TEXTS.counting;
    const { counts, users } = data;
    return TEXTS.removeText({ groups: counts.entry_groups - 1, entries: counts.entries, users });
  };
  return (
    <ConfirmDialog
      title={TEXTS.removeDialog(group.title)}
      cancel={TEXTS.cancel}
      confirm={TEXTS.remove}
      confirming={TEXTS.removing}
      onConfirm={async () => {
        await actions.remove(group, tree);
        onClose();
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p role="status">{weight()}</p>
      <p>{TEXTS.removeLater}</p>
    </ConfirmDialog>
  );
}
