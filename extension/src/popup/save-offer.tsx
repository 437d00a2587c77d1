/** Offers to save: the sign-in that was just used, and whether the site of the page is watched. */
import { useEffect, useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import type { SeenTab } from '../background/operations.ts';
import { api } from '../browser-api.ts';
import type { PendingSave } from '../keeper/captures.ts';
import { sitePattern } from '../server-origin.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { background } from './parts.ts';
import styles from './popup.module.css';

interface OfferProps {
  readonly pending: PendingSave;
  readonly onSave: () => void;
  /** Not now, or never. */
  readonly onEnd: () => void;
}

export function SaveOffer({ pending: { address, userName }, onSave, onEnd }: OfferProps) {
  const { host } = new URL(address);
  const never = async () => {
    await background('stopOffers', { address });
    await api.permissions.remove({ origins: [sitePattern(address)] });
  };
  return (
    <main className={styles['page']}>
      <h1 className={styles['title']}>{TEXTS.offer(host)}</h1>
      <p className={styles['text']}>{userName}</p>
      <Button variant="primary" isBlock onPress={onSave} autoFocus>
        {TEXTS.save}
      </Button>
      <Button isBlock onPress={onEnd}>
        {TEXTS.notNow}
      </Button>
      <Button variant="ghost" isBlock onPress={() => void never().finally(onEnd)}>
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
}

/** Only sites that a permission can name: https, and this machine. */
const CAN_WATCH = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/;

export function OfferSwitch({ tab: { address }, server, onTold }: SwitchProps) {
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
    await background('stopOffers', { address });
    await api.permissions.remove({ origins });
    setOn(false);
  };
  return (
    <Button size="sm" variant="ghost" onPress={() => void (isOn ? stop() : start())}>
      {isOn ? TEXTS.offerStop : TEXTS.offerStart}
    </Button>
  );
}
