import { Database } from 'lucide-react';
import { useState } from 'react';
import { tellFailure } from '../activity-log/tell.ts';
import { isAway } from '@passwordbroker/client/transport/is-away';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { session } from '../page/page.ts';
import { offline } from '../page/vault.ts';

export function ToOnline({ isBlock = false }: { readonly isBlock?: boolean }) {
  const [isBusy, setBusy] = useState(false);
  const back = async () => {
    setBusy(true);
    try {
      await offline.switchToOnline();
    } catch (failure) {
      const server = session.view().server;
      const host = server === null ? location.host : new URL(server).host;
      tellFailure(isAway(failure) ? TEXTS.serverAway(host) : reasonOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="sm"
      isBlock={isBlock}
      icon={<Database size={16} />}
      busy={isBusy}
      busyLabel={TEXTS.switchingOnline}
      onPress={() => void back()}
    >
      {TEXTS.switchToOnline}
    </Button>
  );
}
