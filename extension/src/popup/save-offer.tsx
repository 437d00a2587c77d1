/** Offers to save: the sign-in that was just used, and whether the site of the page is watched. */
import { useEffect, useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { api } from '../browser-api.ts';
import type { PendingSave } from '../keeper/captures.ts';
import type { SeenTab } from '../seen-tab.ts';
import { sitePattern } from '../site-pattern.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { background } from './parts.ts';
import { useAction } from './use-action.ts';
import styles from './popup.module.css';

interface OfferProps {
  readonly pending: PendingSave;
  readonly onSave: () => Promise<void>;
  /** Not now, or never. */
  readonly onEnd: () => Promise<void>;
  readonly onFailed: (failure: unknown) => void;
}

export function SaveOffer({ pending: { address, userName }, onSave, onEnd, onFailed }: OfferProps) {
  const { host } = new URL(address);
  const [running, run] = useAction<'save' | 'end' | 'never'>(onFailed);
  const never = async () => {
    try {
      await stopOffers(address);
    } finally {
      await onEnd();
    }
  };
  return (
    <main className={styles['page']}>
      <h1 className={styles['title']}>{TEXTS.offer(host)}</h1>
      <p className={styles['text']}>{userName}</p>
      <Button variant="primary" isBlock busy={running === 'save'} onPress={() => run('save', onSave)} autoFocus>
        {TEXTS.save}
      </Button>
      <Button isBlock busy={running === 'end'} onPress={() => run('end', onEnd)}>
        {TEXTS.notNow}
      </Button>
      <Button variant="ghost" isBlock busy={running === 'never'} onPress={() => run('never', never)}>
        {TEXTS.never(host)}
      </Button>
    </main>
  );
}

interface SwitchProps {
  readonly tab: SeenTab;
  /** Origin of the server, where nothing is offered. */
  readonly server: string | null;
  readonly onTold: (text: string) => void;
  readonly onFailed: (failure: unknown) => void;
}

/** Only sites that a permission can name: https, and this machine. */
const CAN_WATCH = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/;

export function OfferSwitch({ tab: { address }, server, onTold, onFailed }: SwitchProps) {
  const [running, run] = useAction<'switch'>(onFailed);
  const [isOn, setOn] = useState<boolean | null>(null);
  useEffect(() => {
    void background('isOffered', { address }).then(setOn, () => undefined);
  }, [address]);
  const isOwn = server !== null && sitePattern(address) === sitePattern(server);
  if (isOn === null || isOwn || !CAN_WATCH.test(address)) return null;
  const { host } = new URL(address);
  const origins = [sitePattern(address)];
  const start = async () => {
    // No wait before the request: it counts as part of the click.
    if (!(await api.permissions.request({ origins }))) return;
    await background('startOffers', { address });
    setOn(true);
    onTold(TEXTS.offerStarted(host));
  };
  const stop = async () => {
    await stopOffers(address);
    setOn(false);
  };
  return (
    <Button size="sm" variant="ghost" busy={running !== null} onPress={() => run('switch', isOn ? stop : start)}>
      {isOn ? TEXTS.offerStop : TEXTS.offerStart}
    </Button>
  );
}

async function stopOffers(address: string): Promise<void> {
  if (await background('stopOffers', { address })) await api.permissions.remove({ origins: [sitePattern(address)] });
}
