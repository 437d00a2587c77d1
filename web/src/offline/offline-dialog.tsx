/** The offline panel as a dialog, for a small screen without the icon. */
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import styles from './offline.module.css';
import { OfflineSettings } from './offline-settings.tsx';

export function OfflineDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={TEXTS.title} onClose={onClose}>
      <div className={styles['sheet']}>
        <OfflineSettings title={TEXTS.enable} />
      </div>
    </Dialog>
  );
}
