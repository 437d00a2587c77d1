/** Other servers for which this browser has a token. */
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { TokenRecord } from '@passwordbroker/client/platform';
import { SERVER_TEXTS as TEXTS } from '../texts/identity/signed-out.ts';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from './kept-servers.module.css';
import { servers, session } from '../page/page.ts';

export function KeptServers() {
  const [kept, setKept] = useState<readonly TokenRecord[]>([]);
  const [opening, setOpening] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  const reload = () => {
    servers
      .records()
      .then((records) => records.all())
      .then(setKept, () => setBroken(true));
  };
  useEffect(reload, []);

  const open = async (url: string) => {
    setOpening(url);
    await session.changeServer(url);
    setOpening(null);
  };
  const forget = async (url: string) => {
    await (await servers.records()).forget(url);
    reload();
  };
  if (isBroken) return <MessageBox tone="warning" lines={[TEXTS.failed]} />;
  if (kept.length === 0) return null;
  return (
    <section className={styles['kept']}>
      <h2>{TEXTS.kept}</h2>
      <ul>
        {kept.map(({ url, name }) => (
          <li key={url}>
            <Button
              size="lg"
              busy={opening === url}
              busyLabel={TEXTS.opening}
              isDisabled={opening !== null}
              onPress={() => void open(url)}
            >
              {TEXTS.open(name, new URL(url).host)}
            </Button>
            <IconButton
              label={TEXTS.forget(new URL(url).host)}
              icon={<X size={16} />}
              align="end"
              onPress={() => void forget(url)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
