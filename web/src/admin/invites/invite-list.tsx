/** Sending an invitation again invalidates its former link. */
import { type Invite, type InviteGroup, revoke, create, listAll } from '@passwordbroker/core/contract/users/invites';
import { useQueryClient, keepPreviousData, useQuery } from '@tanstack/react-query';
import { Ban, Send } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { tellDone } from '../../activity-log/activity-log.ts';
import { formatTime } from '../../lib/format.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_INVITES_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { JOINED_TEXTS } from '../../texts/groups/joined.ts';
import { useGroupTree } from '../../groups/tree/use-group-tree.ts';
import { Badge } from '@passwordbroker/ui/display/badge';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { DataRow, DataTable } from '@passwordbroker/ui/display/data-table';
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { Pager } from '@passwordbroker/ui/display/pager';
import admin from '../admin.module.css';
import styles from './invites.module.css';
import { Failed, Waiting } from '../list-parts.tsx';
import { http } from '../../page/page.ts';
import { isEmail } from '@passwordbroker/core/domain/sign-up-rules';
import { refusedLines } from '../user-form/create-user.ts';
import { freshSignIn } from '../../page/vault.ts';

const COLUMNS = Object.entries(TEXTS.columns).map(([id, title]) => ({ id, title, isEnd: id === 'actions' }));
const TONES = { open: 'info', accepted: 'success', revoked: 'plain', expired: 'warning' } as const;

const READ_COLUMNS = COLUMNS.filter(({ isEnd }) => !isEnd);

interface Sending {
  readonly isBusy: boolean;
  readonly onResend: (invite: Invite) => void;
}

/** @param sending absent: the list is read-only */
export function InviteList({ sending }: { readonly sending?: Sending }) {
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Invite | null>(null);
  const { data, error, isFetching, isPlaceholderData, refetch } = useInvites(page);
  return (
    <section aria-label={TEXTS.list}>
      {data === undefined && error === null && <Waiting text={TEXTS.loading} />}
      {error !== null && !isFetching && <Failed text={TEXTS.failed} failure={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && <EmptyLine title={TEXTS.empty} text={TEXTS.emptyHint} />}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={TEXTS.list}
          columns={sending === undefined ? READ_COLUMNS : COLUMNS}
          layout={sending === undefined ? `${styles['invites']} ${styles['reading']}` : styles['invites']}
          isBusy={isPlaceholderData}
        >
          {data.data.map((invite) => (
            <InviteRow
              key={invite.invite_id}
              invite={invite}
              verbs={
                sending !== undefined && (
                  <InviteVerbs
                    invite={invite}
                    isBusy={sending.isBusy}
                    onResend={() => sending.onResend(invite)}
                    onRevoke={() => setAsked(invite)}
                  />
                )
              }
            />
          ))}
        </DataTable>
      )}
      {data !== undefined && data.last_page > 1 && <Pager at={data} onPage={setPage} />}
      {asked !== null && <RevokeDialog invite={asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

interface VerbsProps {
  readonly invite: Invite;
  readonly isBusy: boolean;
  readonly onResend: () => void;
  readonly onRevoke: () => void;
}

function InviteRow({ invite, verbs }: { readonly invite: Invite; readonly verbs: ReactNode }) {
  const { email, username, state, created_at, expires_at } = invite;
  return (
    <DataRow>
      <div role="cell" className={admin['soft']}>
        {email}
        <NamedGroups invite={invite} />
      </div>
      <div role="cell" className={admin['soft']} data-empty={username === null || undefined}>
        {username ?? <span className={admin['none']}>–</span>}
      </div>
      <div role="cell">
        <Badge tone={TONES[state]} text={TEXTS.states[state]} />
      </div>
      <div role="cell" className={admin['date']} data-label={TEXTS.columns.createdAt}>
        <time dateTime={created_at}>{formatTime(created_at)}</time>
      </div>
      <div role="cell" className={admin['date']} data-label={TEXTS.columns.expiresAt}>
        <time dateTime={expires_at}>{formatTime(expires_at)}</time>
      </div>
      {verbs}
    </DataRow>
  );
}

/** Groups that the viewer named and sees; of an accepted invitation they are above the list. */
function NamedGroups({ invite: { state, groups } }: { readonly invite: Invite }) {
  const { tree } = useGroupTree();
  if (state === 'accepted') return null;
  const named = groups.flatMap(({ entry_group_id, role }) => {
    const title = tree?.byId.get(entry_group_id)?.title;
    return title === undefined ? [] : [JOINED_TEXTS.inRole(title, JOINED_TEXTS.roles[role])];
  });
  return named.length > 0 && <span className={styles['under']}>{named.join(', ')}</span>;
}

function InviteVerbs({ invite: { email, state }, isBusy, onResend, onRevoke }: VerbsProps) {
  return (
    <div role="cell" className={`${admin['verbs']} ${styles['verbs']}`}>
      {state !== 'accepted' && (
        <IconButton
          label={TEXTS.resend(email)}
          icon={<Send size={16} />}
          align="end"
          isDisabled={isBusy}
          onPress={onResend}
        />
      )}
      {state === 'open' && (
        <IconButton
          label={TEXTS.revoke(email)}
          icon={<Ban size={16} />}
          tone="danger"
          align="end"
          isDisabled={isBusy}
          onPress={onRevoke}
        />
      )}
    </div>
  );
}

function RevokeDialog({ invite, onClose }: { readonly invite: Invite; readonly onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={TEXTS.revokeTitle(invite.email)}
      cancel={ADMIN_TEXTS.cancel}
      confirm={TEXTS.revokeConfirm}
      confirming={TEXTS.revoking}
      onConfirm={async () => {
        await http.call(revoke, { params: { inviteId: invite.invite_id } });
        tellDone(TEXTS.revoked(invite.email));
        onClose();
        await client.invalidateQueries({ queryKey: INVITES_KEY });
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p>{TEXTS.revokeText}</p>
    </ConfirmDialog>
  );
}

const PER_PAGE = 20;
const INVITES_KEY = ['admin', 'invites'] as const;

function useInvites(page: number) {
  return useQuery({
    queryKey: [...INVITES_KEY, page],
    queryFn: ({ signal }) => http.call(listAll, { query: { page, perPage: PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}

/** The server returns the link only once. */
export interface SentInvite {
  readonly link: string;
  readonly invite: Invite;
  readonly wasMailed: boolean;
}

type SendState =
  | { readonly state: 'await' | 'in process' }
  | { readonly state: 'done'; readonly sent: SentInvite }
  | { readonly state: 'error'; readonly lines: readonly string[] };

export function useSendInvite() {
  const client = useQueryClient();
  const [sending, setSending] = useState<SendState>({ state: 'await' });
  const [emailProblem, setEmailProblem] = useState<string | null>(null);

  /** Returns whether it was sent. */
  async function send(email: string, username: string | null, groups: readonly InviteGroup[]): Promise<boolean> {
    if (sending.state === 'in process') return false;
    if (!isEmail(email.trim())) {
      setEmailProblem(TEXTS.badEmail);
      return false;
    }
    setSending({ state: 'in process' });
    const name = username?.trim() ?? '';
    try {
      const user = { email: email.trim(), ...(name === '' ? {} : { username: name }) };
      const body = { user, ...(groups.length === 0 ? {} : { groups: [...groups] }) };
      const sent = await freshSignIn.tryRun(() => http.call(create, { body }));
      if (sent === null) {
        setSending({ state: 'await' });
        return false;
      }
      const { inviteLinkUrl, invite, mail_sent } = sent;
      setSending({ state: 'done', sent: { link: inviteLinkUrl, invite, wasMailed: mail_sent } });
      await client.invalidateQueries({ queryKey: INVITES_KEY });
      return true;
    } catch (failure) {
      setSending({ state: 'error', lines: refusedLines(failure) });
      return false;
    }
  }
  return { sending, emailProblem, clearEmailProblem: () => setEmailProblem(null), send };
}
