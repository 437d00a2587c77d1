/** All that is said and set about the local copy, with the question before it is removed. Loaded when somebody looks. */
import { useState } from 'react';
import { OfflinePanel } from './offline-panel.tsx';
import { RemoveCopyDialog } from './remove-copy-dialog.tsx';

export function OfflineSettings() {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <OfflinePanel onDisable={() => setRemoving(true)} />
      {isRemoving && <RemoveCopyDialog onClose={() => setRemoving(false)} />}
    </>
  );
}
