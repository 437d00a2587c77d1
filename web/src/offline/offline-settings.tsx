/** The offline panel, with confirmation before the copy is removed. Loaded when opened. */
import { useState } from 'react';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { OfflinePanel } from './offline-panel.tsx';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { offline } from '../page/vault.ts';

/** @param props.title empty where the surrounding dialog has a title */
export function OfflineSettings({ title = TEXTS.title }: { readonly title?: string }) {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <OfflinePanel title={title} onDisable={() => setRemoving(true)} />
      {isRemoving && <RemoveCopyDialog onClose={() => setRemoving(false)} />}
    </>
  );
}

function RemoveCopyDialog({ onClose }: { readonly onClose: () => void }) {
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
