/** Asks before something is gone for good. */
import type { TrashItem } from '@passwordbroker/core/contract/entities';
import { tellDone } from '../activity-log/tell.ts';
import { reasonOf } from '../lib/reason.ts';
import { freshSignIn } from '../session/fresh-sign-in.ts';
import { TRASH_TEXTS as TEXTS } from '../texts/trash.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { VaultWrite } from '../vault/vault.ts';
import { useRefresh } from './use-refresh.ts';

interface Props {
  readonly item: TrashItem;
  readonly title: string;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

export function PurgeDialog({ item, title, write, onClose }: Props) {
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      title={TEXTS.purgeDialog(title)}
      cancel={TEXTS.cancel}
      confirm={TEXTS.purge}
      confirming={TEXTS.purging}
      onConfirm={async () => {
        const purged = await freshSignIn.tryRun(async () => {
          await write.purge(item.operation_id);
          return item;
        });
        if (purged === null) return;
        tellDone(TEXTS.purged(title));
        onClose();
        await refresh();
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p>{TEXTS.purgeText(item.counts)}</p>
      <p>{TEXTS.purgeLast}</p>
    </ConfirmDialog>
  );
}
