/** All that is said and set about the local copy, with the question before it is removed. Loaded when somebody looks. */
import { useState } from 'react';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { OfflinePanel } from './offline-panel.tsx';
import { RemoveCopyDialog } from './remove-copy-dialog.tsx';

/** @param props.title where what is around it bears the name already */
export function OfflineSettings({ title = TEXTS.title }: { readonly title?: string }) {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <OfflinePanel title={title} onDisable={() => setRemoving(true)} />
      {isRemoving && <RemoveCopyDialog onClose={() => setRemoving(false)} />}
    </>
  );
}
