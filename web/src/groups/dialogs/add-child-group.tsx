import { useQuery } from '@tanstack/react-query';
import type { EntryGroup } from '@passwordbroker/core/contract/entities';
import { useVault } from '../../vault/use-vault.ts';
import { AddGroupDialog } from './add-group-dialog.tsx';

interface Props {
  readonly group: EntryGroup;
  readonly path: string;
  readonly onClose: () => void;
}

/** The add-group dialog below a group. */
export function AddChildGroup({ group, path, onClose }: Props) {
  const vault = useVault();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [vault.mode, 'members', group.entry_group_id],
    queryFn: ({ signal }) => vault.read.members(group.entry_group_id, signal),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  const parent = {
    id: group.entry_group_id,
    path,
    // A list that is being refetched may change.
    members: isFetching ? null : (data ?? null),
    problem: isFetching ? null : error,
    onRetry: () => void refetch(),
  };
  return <AddGroupDialog parent={parent} onClose={onClose} />;
}
