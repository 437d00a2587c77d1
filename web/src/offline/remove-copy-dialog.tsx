/** Switching offline mode off takes the copy with it, so it is asked first. */
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { ConfirmDialog } from '@passwordbroker/ui/confirm-dialog';
import { offline } from '../page/vault.ts';

export function RemoveCopyDialog({ onClose }: { readonly onClose: () => void }) {
  const remove = async () => {
    await offline.disable();
    onClose();
  };
  return (
    <ConfirmDialog
      title={TEXTS.disableTitle}
      cancel={TEXTS.cancel}
      confirm={TEXTS.disable}
      confirming={TEXTS.disabling}
      onConfirm={remove}
      onClose={onClose}
      problemOf={reasonOf}
    >
      {TEXTS.disableText}
    </ConfirmDialog>
  );
}
