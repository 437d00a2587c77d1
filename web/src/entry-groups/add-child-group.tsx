/** The add-group dialog below a group: it needs to know how many people the parent has. */
import { useQuery } from '@tanstack/react-query';
import type { EntryGroup } from '@passwordbroker/core/contract/entities';
import { useVault } from '../vault/use-vault.ts';
import { AddGroupDialog } from './add-group-dialog.tsx';

interface Props {
  readonly group: EntryGroup;
  readonly path: string;
  readonly onClose: () => void;
}

export function AddChildGroup({ group, path, onClose }: Props) {
  const vault = useVault();
  const members = useQuery({
    queryKey: [vault.mode, 'members', group.entry_group_id],
    queryFn: ({ signal }) => vault.read.members(group.entry_group_id, signal),
    networkMode: 'always',
    retry: false,
  });
  const parent = { id: group.entry_group_id, path, memberCount: members.data?.length ?? 1 };
  return <AddGroupDialog parent={parent} onClose={onClose} />;
}
