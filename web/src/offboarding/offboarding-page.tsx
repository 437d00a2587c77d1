/** Ends the access of a person who leaves, then links to the secrets to change. */
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import type { OffboardingGroup, Offboarding } from '@passwordbroker/core/contract/users/people';
import { ADMIN_PATHS } from '../admin/admin-paths.ts';
import admin from '../admin/admin.module.css';
import { Failed, Waiting } from '../admin/list-parts.tsx';
import { UserMarks } from '../admin/users/user-row.tsx';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { OutcomeBox } from '../members/changes/outcome-box.tsx';
import { RoleLabel } from '../members/table/role-mark.tsx';
import { useSession } from '../session/use-session.ts';
import { OFFBOARDING_TEXTS as TEXTS } from '../texts/admin/offboarding.ts';
import { Badge } from '@passwordbroker/ui/display/badge';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { DataRow, DataTable } from '@passwordbroker/ui/display/data-table';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import styles from './offboarding.module.css';
import { isAccountLeft, useOffboarding } from './use-offboarding.ts';

export function OffboardingPage() {
  const { userId = '' } = useParams();
  const actions = useOffboarding(userId);
  const { data, error, isFetching, refetch } = actions.query;
  const title = data === undefined ? TEXTS.title : TEXTS.page(data.user.name);
  usePageTitle(title);
  return (
    <div className={admin['page']}>
      <header className={admin['head']}>
        <h1 className={admin['heading']}>{title}</h1>
        <Link to={ADMIN_PATHS.users} className={admin['back']}>
          {TEXTS.back}
        </Link>
      </header>
      <p className={`${admin['hint']} ${styles['hint']}`}>{TEXTS.pageHint}</p>
      {data === undefined && error === null && <Waiting text={TEXTS.loading} />}
      {error !== null && !isFetching && <Failed text={TEXTS.failed} failure={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Offboard left={data} actions={actions} />}
    </div>
  );
}

interface Props {
  readonly left: Offboarding;
  readonly actions: ReturnType<typeof useOffboarding>;
}

function Offboard({ left, actions }: Props) {
  const { user: self } = useSession();
  const isSelf = self?.user_id === left.user.user_id;
  const isRemoved = new Set(actions.removed.map(({ entry_group_id: id }) => id));
  const yours = left.groups.filter((group) => group.is_yours && !isRemoved.has(group.entry_group_id));
  const others = left.groups.filter((group) => !group.is_yours);
  const isLeft = isAccountLeft(left, actions.disable) || yours.length > 0;
  const count = yours.length + actions.removed.length;
  return (
    <div className={styles['parts']}>
      {isSelf && <MessageBox tone="warning" lines={[TEXTS.oneself]} />}
      <Account left={left} actions={actions} />
      <Part title={TEXTS.yours(count)} hint={<YourHints groups={yours} />}>
        {count === 0 ? (
          <p className={admin['hint']}>{TEXTS.yoursNone}</p>
        ) : (
          <YourGroups left={yours} removed={actions.removed} />
        )}
      </Part>
      <Part title={TEXTS.others(others.length)} hint={others.length > 0 && TEXTS.othersHint}>
        {others.length === 0 ? <p className={admin['hint']}>{TEXTS.othersNone}</p> : <OtherGroups groups={others} />}
      </Part>
      {actions.problem !== null && <MessageBox tone="danger" lines={[actions.problem]} />}
      {actions.outcome !== null && (
        <OutcomeBox
          outcome={actions.outcome}
          onAgain={(groups) => void actions.run(groups)}
          onDismiss={actions.dismissOutcome}
        />
      )}
      {actions.write === null && <MessageBox tone="info" lines={[TEXTS.offline]} />}
      {isLeft ? (
        !isSelf && <Verbs actions={actions} isBegun={left.user.disabled === true} />
      ) : (
        <Done others={others.length} />
      )}
      {(actions.removed.length > 0 || !isLeft) && <Next userId={left.user.user_id} />}
    </div>
  );
}

function Account({ left, actions }: Props) {
  const { user } = left;
  const isAnything = left.sessions + left.tokens + left.invitations > 0;
  return (
    <Part title={TEXTS.account}>
      <p className={styles['who']}>
        {user.email} <UserMarks user={user} />
      </p>
      <p>{isAnything ? TEXTS.ends(left) : TEXTS.endsNothing}</p>
      {user.is_admin && <p>{TEXTS.role.admin}</p>}
      {user.is_auditor === true && <p>{TEXTS.role.auditor}</p>}
      {user.disabled === true ? (
        <p>{TEXTS.isDisabled}</p>
      ) : (
        <Checkbox
          isSelected={actions.disable}
          onChange={actions.setDisable}
          isDisabled={actions.busy !== null}
          hint={TEXTS.disableHint}
        >
          {TEXTS.disable}
        </Checkbox>
      )}
      {left.gets_backups && (
        <MessageBox tone="warning" title={TEXTS.backups} lines={[TEXTS.backupsText]}>
          <Link to={ADMIN_PATHS.backup} className={admin['back']}>
            {TEXTS.backupPage}
          </Link>
        </MessageBox>
      )}
    </Part>
  );
}

interface PartProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}

const Part = ({ title, hint, children }: PartProps) => (
  <section className={styles['part']} aria-label={title}>
    <h2>{title}</h2>
    {hint !== undefined && hint !== false && <div className={admin['hint']}>{hint}</div>}
    {children}
  </section>
);

function YourHints({ groups }: { readonly groups: readonly OffboardingGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <>
      <p>{TEXTS.yoursHint}</p>
      {groups.some(({ role }) => role === 'admin') && <p>{TEXTS.yoursAdmin}</p>}
    </>
  );
}

const columnsOf = (...ids: readonly (keyof typeof TEXTS.columns)[]) =>
  ids.map((id) => ({ id, title: TEXTS.columns[id] }));
const YOUR_COLUMNS = columnsOf('group', 'role', 'state');
const OTHER_COLUMNS = columnsOf('group', 'role', 'admins');

function YourGroups({ left, removed }: Readonly<Record<'left' | 'removed', readonly OffboardingGroup[]>>) {
  return (
    <DataTable label={TEXTS.yours(left.length + removed.length)} columns={YOUR_COLUMNS} layout={styles['groups']}>
      {left.map((group) => (
        <Row key={group.entry_group_id} group={group}>
          <Badge text={TEXTS.states.left} />
        </Row>
      ))}
      {removed.map((group) => (
        <Row key={group.entry_group_id} group={group}>
          <Badge tone="success" text={TEXTS.states.removed} />
        </Row>
      ))}
    </DataTable>
  );
}

function OtherGroups({ groups }: { readonly groups: readonly OffboardingGroup[] }) {
  return (
    <DataTable label={TEXTS.others(groups.length)} columns={OTHER_COLUMNS} layout={styles['groups']}>
      {groups.map((group) => (
        <Row key={group.entry_group_id} group={group}>
          {group.admins.length === 0 ? TEXTS.nobody : group.admins.map(({ name }) => name).join(', ')}
        </Row>
      ))}
    </DataTable>
  );
}

const Row = ({ group, children }: { readonly group: OffboardingGroup; readonly children: ReactNode }) => (
  <DataRow>
    <div role="cell" className={styles['name']}>
      {group.name}
    </div>
    <div role="cell">
      <RoleLabel role={group.role} />
    </div>
    <div role="cell" className={admin['soft']}>
      {children}
    </div>
  </DataRow>
);

function Verbs({ actions, isBegun }: { readonly actions: Props['actions']; readonly isBegun: boolean }) {
  const { busy, write, run, stop } = actions;
  const removing = busy?.removing ?? null;
  return (
    <div className={styles['verbs']}>
      {removing !== null && (
        <ProgressBar
          label={TEXTS.removing(removing.done, removing.total)}
          value={removing.total > 1 ? (100 * removing.done) / removing.total : null}
        />
      )}
      <div className={admin['actions']}>
        <Button
          variant="danger"
          busy={busy !== null}
          busyLabel={TEXTS.submitting}
          isDisabled={write === null}
          onPress={() => void run()}
        >
          {isBegun ? TEXTS.again : TEXTS.submit}
        </Button>
        {removing !== null && (
          <Button variant="ghost" onPress={stop}>
            {TEXTS.stop}
          </Button>
        )}
      </div>
    </div>
  );
}

function Done({ others }: { readonly others: number }) {
  return (
    <p className={styles['done']} role="status">
      <CircleCheck size={16} aria-hidden="true" />
      <span>
        {TEXTS.done}. {others > 0 && TEXTS.doneOthers(others)}
      </span>
    </p>
  );
}

const Next = ({ userId }: { readonly userId: string }) => (
  <MessageBox tone="info" lines={[TEXTS.next]}>
    <Link to={`/leavers?user=${userId}`} className={admin['back']}>
      {TEXTS.formerMembers}
    </Link>
  </MessageBox>
);
