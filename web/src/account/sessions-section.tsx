import { useState } from 'react';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { tellDone, tellFailure } from '../activity-log/tell.ts';
import { formatTime } from '../lib/format.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { browserName } from './browser-name.ts';
import { EndingRow, Listed } from './listed.tsx';
import { Section } from './section.tsx';
import { useReloadedAccount, useSessions } from './use-account.ts';
import { http } from '../page/page.ts';

const TEXTS = ACCOUNT_TEXTS.sessions;

export function SessionsSection() {
  const { data = [], error, isPending, refetch } = useSessions();
  const reload = useReloadedAccount();
  const [isBusy, setBusy] = useState(false);
  const endOthers = async () => {
    setBusy(true);
    try {
      const { ended } = await http.call(credentials.endOtherSessions);
      tellDone(TEXTS.endedOthers(ended));
    } catch (failure) {
      tellFailure(reasonOf(failure));
    }
    await reload();
    setBusy(false);
  };
  const others = data.filter(({ current }) => !current).length;
  return (
    <Section
      title={TEXTS.title}
      hint={TEXTS.hint}
      verbs={
        others > 0 && (
          <Button size="sm" busy={isBusy} busyLabel={TEXTS.ending} onPress={() => void endOthers()}>
            {TEXTS.endOthers}
          </Button>
        )
      }
    >
      <Listed error={error} isPending={isPending} failed={TEXTS.failed} onRetry={() => void refetch()}>
        {data.map(({ session_id, current, address, user_agent, last_seen_at, expires_at }) => {
          const name = browserName(user_agent) ?? TEXTS.unknown;
          return (
            <EndingRow
              key={session_id}
              title={name}
              current={current ? TEXTS.current : null}
              facts={[TEXTS.at(address), TEXTS.lastSeen(formatTime(last_seen_at)), TEXTS.until(formatTime(expires_at))]}
              verb={{ text: TEXTS.end, name: TEXTS.endNamed(name), busy: TEXTS.ending, done: TEXTS.ended }}
              onEnd={async () => {
                await http.call(credentials.endSession, { params: { sessionId: session_id } });
                await reload();
              }}
            />
          );
        })}
      </Listed>
    </Section>
  );
}
