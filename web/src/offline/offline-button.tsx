import { Database, DatabaseX } from 'lucide-react';
import { Suspense, useCallback, useId, useState } from 'react';
import { lazyPart } from '../lib/chunk.ts';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { Popover } from '@passwordbroker/ui/overlays/popover';
import { useOffline } from './use-offline.ts';

const OfflineSettings = lazyPart('OfflineSettings', () => import('./offline-panel.tsx'));

export function OfflineButton() {
  const id = useId();
  const { databaseMode } = useOffline();
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <Popover
      id={id}
      label={TEXTS.title}
      isOpen={isOpen}
      onClose={close}
      trigger={
        <IconButton
          label={TEXTS.title}
          icon={databaseMode === 'offline' ? <DatabaseX size={16} /> : <Database size={16} />}
          size="lg"
          isExpanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        />
      }
    >
      <Suspense fallback={null}>
        <OfflineSettings />
      </Suspense>
    </Popover>
  );
}
