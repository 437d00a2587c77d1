/** `/admin/user_control/` (docs/spec/product.md §2, §9). */
import { Mail, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useQueryClient } from '@tanstack/react-query';
import type { User } from '@passwordbroker/core/contract/users/user';
import type { SoleGroup } from '@passwordbroker/core/contract/users/people';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { useSettled } from '../../lib/loading.ts';
import { useMayChange, useSession } from '../../session/use-session.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_USERS_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { DataTable } from '@passwordbroker/ui/display/data-table';
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Pager } from '@passwordbroker/ui/display/pager';
import { tellDone } from '../../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { ADMIN_PATHS } from '../admin-paths.ts';
import styles from '../admin.module.css';
import { ListSearch, Failed, Waiting } from '../list-parts.tsx';
import { ResetKeysDialog, SoleGroups } from './reset-keys-dialog.tsx';
import { doUserAction, type PlainUserAction, type UserAction, UserRow, UserVerbs } from './user-row.tsx';
import { useRemoveUser, USERS_KEY, useUsers } from './use-users.ts';
import users from './users.module.css';
import { http, session } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';

const COLUMNS = Object.entries(TEXTS.columns).map(([id, title]) => ({ id, title, isEnd: id === 'actions' }));
const READ_COLUMNS = COLUMNS.filter(({ isEnd }) => !isEnd);
const TYPING_MS = 500;

export function UsersPage() {
  usePageTitle(ADMIN_TEXTS.users);
  const navigate = useNavigate();
  const client = useQueryClient();
  const { user: self } = useSession();
  const mayChange = useMayChange();
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<{ readonly action: UserAction; readonly user: User } | null>(null);
  const { data, error, isFetching, isPlaceholderData, refetch } = useUsers(useSettled(typed.trim(), TYPING_MS), page);
  const refresh = () => client.invalidateQueries({ queryKey: USERS_KEY });
  const removal = useRemoveUser(refresh);
  const close = () => setAsked(null);
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{ADMIN_TEXTS.users}</h1>
        <ListSearch
          label={TEXTS.search}
          hint={TEXTS.searchHint}
          text={typed}
          onChange={(text) => {
            setTyped(text);
            setPage(1);
          }}
        />
        {mayChange && (
          <>
            <Button icon={<Mail size={16} />} onPress={() => void navigate(ADMIN_PATHS.invite)}>
              {ADMIN_TEXTS.invite}
            </Button>
            <Button
              variant="primary"
              icon={<UserPlus size={16} />}
              onPress={() => void navigate(ADMIN_PATHS.createUser)}
            >
              {ADMIN_TEXTS.createUser}
            </Button>
          </>
        )}
      </header>
      {removal.problem !== null && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[TEXTS.removeFailed, removal.problem]} />
        </div>
      )}
      {data === undefined && error === null && <Waiting text={TEXTS.loading} />}
      {error !== null && !isFetching && <Failed text={TEXTS.failed} failure={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <EmptyLine
          title={TEXTS.nobody}
          text={TEXTS.nobodyHint}
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
          layout={mayChange ? users['users'] : `${users['users']} ${users['reading']}`}
          isBusy={isPlaceholderData}
        >
          {data.data.map((user) => (
            <UserRow
              key={user.user_id}
              user={user}
              verbs={
                mayChange && (
                  <UserVerbs
                    user={user}
                    isSelf={user.user_id === self?.user_id}
                    isRemoving={removal.removing === user.user_id}
                    onAction={(action) => setAsked({ action, user })}
                    onRemove={() => void removal.remove(user)}
                  />
                )
              }
            />
          ))}
        </DataTable>
      )}
      {data !== undefined && data.last_page > 1 && <Pager at={data} onPage={setPage} />}
      {asked?.action === 'resetKeys' && <ResetKeysDialog user={asked.user} onDone={refresh} onClose={close} />}
      {asked !== null && asked.action !== 'resetKeys' && (
        <UserActionDialog action={asked.action} user={asked.user} onDone={refresh} onClose={close} />
      )}
      {removal.soleAdmin !== null && (
        <RemoveOnlyAdminDialog {...removal.soleAdmin} onConfirm={removal.removeAnyway} onClose={removal.giveUp} />
      )}
    </div>
  );
}

interface UserActionDialogProps {
  readonly action: PlainUserAction;
  readonly user: User;
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

function UserActionDialog({ action, user, onDone, onClose }: UserActionDialogProps) {
  const texts = TEXTS.asked[action];
  return (
    <ConfirmDialog
      title={texts.title(user.name)}
      cancel={ADMIN_TEXTS.cancel}
      confirm={texts.confirm}
      confirming={texts.confirming}
      isHarmless={action === 'promote' || action === 'makeAuditor' || action === 'enable'}
      onConfirm={async () => {
        const changed = await freshSignIn.tryRun(() => doUserAction(http, action, user));
        if (changed === null) return;
        tellDone(texts.done(user.name));
        onClose();
        session.know(changed);
        await onDone();
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p>{texts.text}</p>
    </ConfirmDialog>
  );
}

interface RemoveOnlyAdminDialogProps {
  readonly user: User;
  readonly groups: readonly SoleGroup[];
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Names the groups that lose their only admin (docs/spec/decisions.md I12). */
function RemoveOnlyAdminDialog({ user, groups, onConfirm, onClose }: RemoveOnlyAdminDialogProps) {
  return (
    <ConfirmDialog
      title={TEXTS.onlyAdminTitle(user.name)}
      cancel={ADMIN_TEXTS.cancel}
      confirm={TEXTS.onlyAdminConfirm}
      confirming={TEXTS.removing}
      onConfirm={onConfirm}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <SoleGroups groups={groups} />
      <p>{TEXTS.onlyAdminText}</p>
    </ConfirmDialog>
  );
}
