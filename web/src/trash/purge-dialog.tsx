import { useQuery } from '@tanstack/react-query';
import { tellDone } from '../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { TRASH_TEXTS as TEXTS } from '../texts/entries/trash-and-activity.ts';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { useVault } from '../vault/use-vault.ts';
import type { Purging, VaultWrite } from '@passwordbroker/client/vault/vault';
import { useRefresh } from '../groups/tree/use-group-tree.ts';
import { freshSignIn } from '../page/vault.ts';

interface Props {
  readonly what: Purging;
  /** Title of the deletion to purge; absent: the whole trash. */
  readonly title?: string;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Asks before permanent deletion and shows the number of things. */
export function PurgeDialog({ what, title, write, onClose }: Props) {
  const vault = useVault();
  const refresh = useRefresh();
  const { data, error, refetch } = useQuery({
    queryKey: [vault.mode, 'purge', what],
    queryFn: ({ signal }) => vault.read.purgePreview(what, signal),
    networkMode: 'always',
    retry: false,
    // Not cached, because the number must be current.
    gcTime: 0,
    staleTime: 0,
  });
  const purge = async () => {
    if (data === undefined) return;
    try {
      const purged = await freshSignIn.tryRun(async () => {
        await write.purge(what, data.items);
        return data;
      });
      if (purged === null) return;
    } catch (failure) {
      // The trash may have changed, so it is counted again.
      void refetch();
      throw failure;
    }
    tellDone(title === undefined ? TEXTS.emptied : TEXTS.purged(title));
    onClose();
    await refresh();
  };
  return (
    <ConfirmDialog
      title={title === undefined ? TEXTS.emptyTrashDialog : TEXTS.purgeDialog(title)}
      cancel={TEXTS.cancel}
      confirm={title === undefined ? TEXTS.emptyTrash : TEXTS.purge}
      confirming={TEXTS.purging}
      isIncomplete={data === undefined || data.items === 0}
      onConfirm={purge}
      onClose={onClose}
      problemOf={reasonOf}
    >
      {data !== undefined && 'groupId' in what && <p>{TEXTS.emptyTrashWhat(data.items, what.groupId !== null)}</p>}
      <p role="status">
        {error !== null ? TEXTS.countFailed : data === undefined ? TEXTS.counting : TEXTS.purgeText(data.counts)}
      </p>
      <p>{TEXTS.purgeLast}</p>
    </ConfirmDialog>
  );
}
