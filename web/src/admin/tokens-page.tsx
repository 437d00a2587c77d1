/** `/admin/user_control/tokens`: tokens of all people. */
import { type SiteToken, revokeSiteToken, siteTokens } from '@passwordbroker/core/contract/account/credentials';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { useState } from 'react';
import { tellDone } from '../activity-log/activity-log.ts';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { formatTime } from '../lib/format.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useSettled } from '../lib/loading.ts';
import { useMayChange } from '../session/use-session.ts';
import { programOf } from '../account/credential-sections.tsx';
import { ADMIN_TEXTS, ADMIN_TOKENS_TEXTS as TEXTS } from '../texts/admin/admin.ts';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { DataRow, DataTable } from '@passwordbroker/ui/display/data-table';
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { Pager } from '@passwordbroker/ui/display/pager';
import admin from './admin.module.css';
import { ListSearch, Failed, Waiting } from './list-parts.tsx';
import styles from './tokens.module.css';
import { http } from '../page/page.ts';

const COLUMNS = Object.entries(TEXTS.columns).map(([id, title]) => ({ id, title, isEnd: id === 'actions' }));
const READ_COLUMNS = COLUMNS.filter(({ isEnd }) => !isEnd);
const PER_PAGE = 20;
const TYPING_MS = 500;
const TOKENS_KEY = ['admin', 'tokens'] as const;

export function TokensPage() {
  usePageTitle(TEXTS.page);
  const mayChange = useMayChange();
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<SiteToken | null>(null);
  const { data, error, isFetching, isPlaceholderData, refetch } = useTokens(useSettled(typed.trim(), TYPING_MS), page);
  return (
    <div className={admin['page']}>
      <header className={admin['head']}>
        <h1 className={admin['heading']}>{TEXTS.page}</h1>
        <ListSearch
          label={TEXTS.search}
          hint={TEXTS.searchHint}
          text={typed}
          onChange={(text) => {
            setTyped(text);
            setPage(1);
          }}
        />
      </header>
      <p className={`${admin['hint']} ${styles['hint']}`}>{TEXTS.hint}</p>
      {data === undefined && error === null && <Waiting text={TEXTS.loading} />}
      {error !== null && !isFetching && <Failed text={TEXTS.failed} failure={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <EmptyLine
          title={TEXTS.empty}
          text={TEXTS.emptyHint}
          {...(typed === ''
            ? {}
            : {
                action: (
                  <Button size="sm" onPress={() => setTyped('')}>
                    {ADMIN_TEXTS.clearSearch}
                  </Button>
                ),
              })}
        />
      )}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={TEXTS.table}
          columns={mayChange ? COLUMNS : READ_COLUMNS}
          layout={mayChange ? styles['tokens'] : `${styles['tokens']} ${styles['reading']}`}
          isBusy={isPlaceholderData}
        >
          {data.data.map((token) => (
            <TokenRow key={token.token_id} token={token} onRevoke={mayChange ? () => setAsked(token) : null} />
          ))}
        </DataTable>
      )}
      {data !== undefined && data.last_page > 1 && <Pager at={data} onPage={setPage} />}
      {asked !== null && <RevokeDialog token={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

const useTokens = (q: string, page: number) =>
  useQuery({
    queryKey: [...TOKENS_KEY, q, page],
    queryFn: ({ signal }) => http.call(siteTokens, { query: { q, page, perPage: PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });

function TokenRow({ token, onRevoke }: { readonly token: SiteToken; readonly onRevoke: (() => void) | null }) {
  const { user, name, scopes, created_at, last_used_at, expires_at } = token;
  return (
    <DataRow>
      <div role="cell" className={styles['owner']}>
        <span>{user.name}</span> <span className={admin['hint']}>{user.email}</span>
      </div>
      <div role="cell" className={`${admin['soft']} ${styles['token']}`}>
        <span>{name}</span> <span className={admin['hint']}>{programOf(token)}</span>
      </div>
      <div role="cell" className={admin['soft']} data-label={TEXTS.columns.scopes}>
        {scopes.map((scope) => TEXTS.scopes[scope]).join(', ')}
      </div>
      <Time label={TEXTS.columns.createdAt} time={created_at} />
      <Time label={TEXTS.columns.lastUsed} time={last_used_at} />
      <Time label={TEXTS.columns.expiresAt} time={expires_at} />
      {onRevoke !== null && (
        <div role="cell" className={`${admin['verbs']} ${styles['verbs']}`}>
          <IconButton
            label={TEXTS.revoke(name, user.name)}
            icon={<Ban size={16} />}
            tone="danger"
            align="end"
            onPress={onRevoke}
          />
        </div>
      )}
    </DataRow>
  );
}

const Time = ({ label, time }: { readonly label: string; readonly time: string }) => (
  <div role="cell" className={admin['date']} data-label={label}>
    <time dateTime={time}>{formatTime(time)}</time>
  </div>
);

function RevokeDialog({ token, onClose }: { readonly token: SiteToken; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { token_id: tokenId, name, user } = token;
  return (
    <ConfirmDialog
      title={TEXTS.revokeTitle(name, user.name)}
      cancel={ADMIN_TEXTS.cancel}
      confirm={TEXTS.revokeConfirm}
      confirming={TEXTS.revoking}
      onConfirm={async () => {
        await http.call(revokeSiteToken, { params: { tokenId } });
        tellDone(TEXTS.revoked(name, user.name));
        onClose();
        await client.invalidateQueries({ queryKey: TOKENS_KEY });
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p>{TEXTS.revokeText(user.name)}</p>
    </ConfirmDialog>
  );
}
