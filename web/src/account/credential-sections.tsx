import { useState } from 'react';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { tellDone, tellFailure } from '../activity-log/activity-log.ts';
import { formatTime } from '../lib/format.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { browserName } from './browser-name.ts';
import { EndingRow, Listed, Section } from './section.tsx';
import { http } from '../page/page.ts';
import { HOW_TEXTS } from '../texts/identity/factors.ts';
import { useSession } from '../session/use-session.ts';
import { Plus } from 'lucide-react';
import styles from './account.module.css';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';

const TEXTS = ACCOUNT_TEXTS.sessions;

type Program = Pick<credentials.Session, 'face' | 'client_version'>;

/** The program that used it last, as it said itself. */
export const programOf = ({ face, client_version }: Program): readonly string[] =>
  face === undefined ? [] : [`${ACCOUNT_TEXTS.programs[face]} ${client_version}`];

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
        {data.map(
          ({ session_id, current, address, user_agent, method, factor, last_seen_at, expires_at, ...program }) => {
            const name = browserName(user_agent) ?? TEXTS.unknown;
            return (
              <EndingRow
                key={session_id}
                title={name}
                current={current ? TEXTS.current : null}
                facts={[
                  HOW_TEXTS.begun(method, factor),
                  TEXTS.at(address),
                  TEXTS.lastSeen(formatTime(last_seen_at)),
                  TEXTS.until(formatTime(expires_at)),
                  ...programOf(program),
                ]}
                verb={{ text: TEXTS.end, name: TEXTS.endNamed(name), busy: TEXTS.ending, done: TEXTS.ended }}
                onEnd={async () => {
                  await http.call(credentials.endSession, { params: { sessionId: session_id } });
                  await reload();
                }}
              />
            );
          },
        )}
      </Listed>
    </Section>
  );
}

const TOKENS_TEXTS = ACCOUNT_TEXTS.tokens;

export function TokensSection() {
  const { data = [], error, isPending, refetch } = useTokens();
  const reload = useReloadedAccount();
  const [isAdding, setAdding] = useState(false);
  const hasFactor = useSession().user?.factor_state === 'set';
  return (
    <Section
      title={TOKENS_TEXTS.title}
      hint={TOKENS_TEXTS.hint}
      verbs={
        <Button size="sm" icon={<Plus size={14} />} onPress={() => setAdding(true)}>
          {TOKENS_TEXTS.add}
        </Button>
      }
    >
      <Listed error={error} isPending={isPending} failed={TOKENS_TEXTS.failed} onRetry={() => void refetch()}>
        {data.length === 0 && <li className={styles['none']}>{TOKENS_TEXTS.empty}</li>}
        {data.map(({ token_id, name, scopes, current, factor, last_used_at, expires_at, ...program }) => (
          <EndingRow
            key={token_id}
            title={name}
            current={current ? TOKENS_TEXTS.current : null}
            facts={[
              TOKENS_TEXTS.scopes(scopes),
              TOKENS_TEXTS.lastUsed(formatTime(last_used_at)),
              TOKENS_TEXTS.until(formatTime(expires_at)),
              ...programOf(program),
              ...(hasFactor && factor === null ? [HOW_TEXTS.withoutFactor] : []),
            ]}
            verb={{
              text: TOKENS_TEXTS.revoke,
              name: TOKENS_TEXTS.revokeNamed(name),
              busy: TOKENS_TEXTS.revoking,
              done: TOKENS_TEXTS.revoked(name),
            }}
            onEnd={async () => {
              await http.call(credentials.revokeToken, { params: { tokenId: token_id } });
              await reload();
            }}
          />
        ))}
      </Listed>
      {isAdding && (
        <NewTokenDialog
          onMade={() => void reload()}
          onClose={() => {
            setAdding(false);
          }}
        />
      )}
    </Section>
  );
}

const ALWAYS = { networkMode: 'always', retry: false, staleTime: 0 } as const;
const SESSIONS = ['account', 'sessions'] as const;
const TOKENS = ['account', 'tokens'] as const;

const useSessions = () =>
  useQuery({ queryKey: SESSIONS, queryFn: ({ signal }) => http.call(credentials.sessions, { signal }), ...ALWAYS });

const useTokens = () =>
  useQuery({ queryKey: TOKENS, queryFn: ({ signal }) => http.call(credentials.tokens, { signal }), ...ALWAYS });

/** Refetches sessions and tokens, which a new password ends. */
export function useReloadedAccount(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['account'] });
}
