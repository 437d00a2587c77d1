/** `/admin/user_control/` (docs/spec/product.md §2, §9). */
import { Mail, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useQueryClient } from '@tanstack/react-query';
import type { User } from '@passwordbroker/core/contract/users/user';
import { PEOPLE_FILTERS, type SoleGroup } from '@passwordbroker/core/contract/users/people';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { useSettled } from '../../lib/loading.ts';
import { useMayChange, useSession } from '../../session/use-session.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_USERS_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Select } from '@passwordbroker/ui/inputs/select';
import { DataTable } from '@passwordbroker/ui/display/data-table';
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Pager } from '@passwordbroker/ui/display/pager';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { ADMIN_PATHS } from '../admin-paths.ts';
import styles from '../admin.module.css';
import { useSignInSettings } from '../settings/use-settings.ts';
import { ListSearch, Failed, Waiting } from '../list-parts.tsx';
import { FactorResetDialog } from './factor-reset-dialog.tsx';
import { ResetKeysDialog, SoleGroups } from './reset-keys-dialog.tsx';
import { UserActionDialog } from './user-action-dialog.tsx';
import { type UserAction, UserRow, UserVerbs } from './user-row.tsx';
import { useRemoveUser, USERS_KEY, useUsers } from './use-users.ts';
import users from './users.module.css';

const COLUMNS = Object.entries(TEXTS.columns).map(([id, title]) => ({ id, title, isEnd: id === 'actions' }));
const READ_COLUMNS = COLUMNS.filter(({ isEnd }) => !isEnd);
const TYPING_MS = 500;
const FILTERS = (['all', ...PEOPLE_FILTERS] as const).map((value) => ({ value, title: TEXTS.filters[value] }));
/** The others are about sign-in services. */
const IN_EVERY_SITE: readonly string[] = ['all', 'without_factor'];

export function UsersPage() {
  usePageTitle(ADMIN_TEXTS.users);
  const navigate = useNavigate();
  const client = useQueryClient();
  const { user: self } = useSession();
  const mayChange = useMayChange();
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<{ readonly action: UserAction; readonly user: User } | null>(null);
  const [params, setParams] = useSearchParams();
  const only = PEOPLE_FILTERS.find((filter) => filter === params.get('only'));
  const hasProviders = useSignInSettings().data?.local_sign_in_overruled !== 'no provider';
  const { data, error, isFetching, isPlaceholderData, refetch } = useUsers(
    useSettled(typed.trim(), TYPING_MS),
    page,
    only,
  );
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
        <div className={styles['filter']}>
          <Select
            label={TEXTS.show}
            isLabelHidden
            value={only ?? 'all'}
            options={FILTERS.filter(({ value }) => hasProviders || value === only || IN_EVERY_SITE.includes(value))}
            onChange={(value) => {
              setParams(value === 'all' ? {} : { only: value }, { replace: true });
              setPage(1);
            }}
          />
        </div>
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
          text={typed === '' && only !== undefined ? TEXTS.nobodyFiltered : TEXTS.nobodyHint}
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
                    hasProviders={hasProviders}
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
      {asked?.action === 'resetFactors' && <FactorResetDialog user={asked.user} onDone={refresh} onClose={close} />}
      {asked !== null && asked.action !== 'resetKeys' && asked.action !== 'resetFactors' && (
        <UserActionDialog action={asked.action} user={asked.user} onDone={refresh} onClose={close} />
      )}
      {removal.soleAdmin !== null && (
        <RemoveOnlyAdminDialog {...removal.soleAdmin} onConfirm={removal.removeAnyway} onClose={removal.giveUp} />
      )}
    </div>
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
