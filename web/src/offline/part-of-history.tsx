/** Says above a history from the local copy that it is incomplete. */
import { OFFLINE_COPY_TEXTS } from '@passwordbroker/client/texts/offline-copy';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { useVault } from '../vault/use-vault.ts';

export function PartOfHistory() {
  return useVault().mode === 'offline' ? <MessageBox tone="info" lines={[OFFLINE_COPY_TEXTS.noHistory]} /> : null;
}
