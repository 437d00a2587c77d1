/** Tokens of programs and of pages of other servers. */
import { Plus } from 'lucide-react';
import { useState } from 'react';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { formatTime } from '../lib/format.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import styles from './account.module.css';
import { EndingRow, Listed } from './listed.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { Section } from './section.tsx';
import { useReloadedAccount, useTokens } from './use-account.ts';
import { http } from '../page/page.ts';

const TEXTS = ACCOUNT_TEXTS.tokens;

export function TokensSection() {
  const { data = [], error, isPending, refetch } = useTokens();
  const reload = useReloadedAccount();
  const [isAdding, setAdding] = useState(false);
  return (
    <Section
      title={TEXTS.title}
      hint={TEXTS.hint}
      verbs={
        <Button size="sm" icon={<Plus size={14} />} onPress={() => setAdding(true)}>
          {TEXTS.add}
        </Button>
      }
    >
      <Listed error={error} isPending={isPending} failed={TEXTS.failed} onRetry={() => void refetch()}>
        {data.length === 0 && <li className={styles['none']}>{TEXTS.empty}</li>}
        {data.map(({ token_id, name, scopes, current, last_used_at, expires_at }) => (
          <EndingRow
            key={token_id}
            title={name}
            current={current ? TEXTS.current : null}
            facts={[
              TEXTS.scopes(scopes),
              TEXTS.lastUsed(formatTime(last_used_at)),
              TEXTS.until(formatTime(expires_at)),
            ]}
            verb={{
              text: TEXTS.revoke,
              name: TEXTS.revokeNamed(name),
              busy: TEXTS.revoking,
              done: TEXTS.revoked(name),
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
