import { useEffect, useState } from 'react';
import type { LocalCopy } from '@passwordbroker/client/offline/offline';
import { OFFLINE_LOGIN_TEXTS as TEXTS } from '../texts/offline.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { offline } from '../page/vault.ts';

/**
 * A local copy was deleted because it expired. @param props.server origin of another server; null for the
 * page's own
 */
export function ExpiredCopies({ server }: { readonly server: string | null }) {
  const [copies, setCopies] = useState<readonly LocalCopy[]>([]);
  useEffect(() => {
    let isGone = false;
    void offline.expiredCopies().then((found) => {
      if (!isGone) setCopies(found.filter((copy) => copy.server === server));
    });
    return () => {
      isGone = true;
    };
  }, [server]);
  if (copies.length === 0) return null;
  return <MessageBox tone="info" lines={copies.map(({ name, email }) => TEXTS.expired(name, email))} />;
}
