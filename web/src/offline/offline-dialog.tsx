/** The same on a small screen, where the header has no room for the icon. */
import { useState } from 'react';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { Dialog } from '../ui/dialog.tsx';
import styles from './offline.module.css';
import { OfflinePanel } from './offline-panel.tsx';
import { RemoveCopyDialog } from './remove-copy-dialog.tsx';

export function OfflineDialog({ onClose }: { readonly onClose: () => void }) {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Dialog title={TEXTS.title} onClose={onClose}>
      <div className={styles['sheet']}>
        <OfflinePanel onDisable={() => setRemoving(true)} />
      </div>
      {isRemoving && <RemoveCopyDialog onClose={() => setRemoving(false)} />}
    </Dialog>
  );
}
