import { forgetBrowser, forgetBrowsers, type RememberedBrowser } from '@passwordbroker/core/contract/account/factors';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { useState } from 'react';
import { browserName } from '../account/browser-name.ts';
import account from '../account/account.module.css';
import { EndingRow, Part } from '../account/section.tsx';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { formatTime } from '../lib/format.ts';
import { http } from '../page/page.ts';
import { FACTORS_TEXTS } from '../texts/identity/factors.ts';
import { useChangedFactors } from './use-factors.ts';

const TEXTS = FACTORS_TEXTS.remembered;

export function RememberedBrowsers({ browsers }: { readonly browsers: readonly RememberedBrowser[] }) {
  const changed = useChangedFactors();
  const [isBusy, setBusy] = useState(false);
  const forgetAll = async () => {
    setBusy(true);
    try {
      const { ended } = await http.call(forgetBrowsers);
      tellDone(TEXTS.forgotAll(ended));
    } catch (failure) {
      tellFailure(reasonOf(failure));
    }
    await changed();
    setBusy(false);
  };
  return (
    <Part
      title={TEXTS.title}
      hint={TEXTS.hint}
      verbs={
        browsers.length > 1 && (
          <Button size="sm" busy={isBusy} busyLabel={TEXTS.forgetting} onPress={() => void forgetAll()}>
            {TEXTS.forgetAll}
          </Button>
        )
      }
    >
      <ul className={account['list']} aria-label={TEXTS.title}>
        {browsers.length === 0 && <li className={account['none']}>{TEXTS.none}</li>}
        {browsers.map(({ browser_id, current, address, user_agent, last_used_at, expires_at }) => {
          const name = browserName(user_agent) ?? TEXTS.unknown;
          const title = current ? `${name} (${TEXTS.current})` : name;
          return (
            <EndingRow
              key={browser_id}
              title={title}
              current={null}
              facts={[TEXTS.at(address), TEXTS.lastUsed(formatTime(last_used_at)), TEXTS.until(formatTime(expires_at))]}
              verb={{
                text: TEXTS.forget,
                name: TEXTS.forgetNamed(title),
                busy: TEXTS.forgetting,
                done: TEXTS.forgotten,
              }}
              onEnd={async () => {
                await http.call(forgetBrowser, { params: { browserId: browser_id } });
                await changed();
              }}
            />
          );
        })}
      </ul>
    </Part>
  );
}
