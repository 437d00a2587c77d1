import { useDeferredValue, useEffect, useSyncExternalStore } from 'react';
import { useNavigate, useParams } from 'react-router';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can, type Role } from '@passwordbroker/core/domain/policy';
import { GroupHistoryTab } from '../../group-history/group-history-tab.tsx';
import { RotationBanner } from '../../members/keys/rotation-banner.tsx';
import { useMembers } from '../../members/table/use-members.ts';
import { MembersTab } from '../../members/table/members-tab.tsx';
import { GROUP_TEXTS as TEXTS, GROUP_HISTORY_TEXTS } from '../../texts/groups/groups.ts';
import { MEMBER_TEXTS } from '../../texts/groups/members.ts';
import { TRASH_TEXTS } from '../../texts/entries/trash-and-activity.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Tabs } from '@passwordbroker/ui/display/tabs';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { TrashList } from '../../trash/trash-list.tsx';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { useGroupTrust } from '../../trust/use-trust-state.ts';
import { ancestorsOf, type GroupNode, type GroupTree } from '../tree/group-tree.ts';
import { useGroupTree } from '../tree/use-group-tree.ts';
import { EntriesTab, useEntries, useGroup } from './entries-tab.tsx';
import { GroupHeader } from './group-header.tsx';
import styles from './group-page.module.css';
import { LinksTab, SettingsTab } from './settings-tab.tsx';
import settingsTabStyles from './settings-tab.module.css';

/** `/entryGroup/{id}`: header and tabs of one group. */
export function GroupPage() {
  const { id = '' } = useParams();
  // The key remounts the page for each group, which drops open entries and shown values.
  return <Group key={id} id={id} />;
}

function Group({ id }: { readonly id: string }) {
  useExaminedGroup(id);
  const group = useGroup(id);
  // Deferred, because React renders query results without interruption.
  const answer = useDeferredValue(group.data);
  const entries = useEntries(id);
  const users = useMembers(id);
  const { tree } = useGroupTree();
  const { write } = useVault();
  const whyNot = useWhyNot();
  // Cached data of a group that is no longer accessible is not shown.
  if (answer === undefined || isRefused(group.error)) {
    if (group.error === null || (group.isFetching && !isRefused(group.error)))
      return <div className={styles['wrap']} aria-busy="true" />;
    return <GroupProblem error={group.error} onRetry={() => void group.refetch()} />;
  }
  const ancestors = tree === null ? [] : ancestorsOf(tree, id);
  return (
    <div className={styles['wrap']}>
      <div className={styles['head']}>
        <GroupHeader answer={answer} ancestors={ancestors} tree={tree} />
        <RotationBanner
          group={answer.entryGroup}
          selfId={answer.role.user_id}
          canRotate={write !== null && can(answer.role.role, 'group.rotate')}
        />
      </div>
      <Tabs
        label={TEXTS.sections}
        tabs={[
          {
            id: 'entries',
            title: TEXTS.entries,
            count: entries.data?.length,
            content: (
              <EntriesTab
                answer={answer}
                path={[...ancestors.map((above) => above.title), answer.entryGroup.title].join(' / ')}
              />
            ),
          },
          {
            id: 'users',
            title: MEMBER_TEXTS.tab,
            count: users.users.length === 0 ? undefined : users.users.length,
            content: (
              <MembersTab group={answer.entryGroup} selfId={answer.role.user_id} role={answer.role.role} tree={tree} />
            ),
          },
          { id: 'history', title: GROUP_HISTORY_TEXTS.tab, content: <GroupHistoryTab groupId={id} /> },
          ...moderatorTabs({ role: answer.role.role, node: tree?.byId.get(id), tree, write, whyNot }),
        ]}
      />
    </div>
  );
}

interface ModeratorTabs {
  readonly role: Role;
  /** undefined while the tree is loading and after the group was deleted. */
  readonly node: GroupNode | undefined;
  readonly tree: GroupTree | null;
  readonly write: VaultWrite | null;
  readonly whyNot: string | null;
}

/** Admins get settings, which include the trash and the links; moderators get these two alone. */
function moderatorTabs({ role, node, tree, write, whyNot }: ModeratorTabs) {
  if (can(role, 'group.rename') && node !== undefined && tree !== null) {
    const settings = write === null ? null : <SettingsTab group={node} tree={tree} write={write} />;
    return [{ id: 'settings', title: TEXTS.settings, whyNot, content: settings }];
  }
  if (can(role, 'group.rename') || node === undefined) return [];
  const links = write === null ? null : <LinksTab groupId={node.id} write={write} />;
  return [
    ...(can(role, 'trash.read')
      ? [{ id: 'trash', title: TRASH_TEXTS.tab, whyNot, content: <TrashTab groupId={node.id} /> }]
      : []),
    ...(can(role, 'field.write') ? [{ id: 'links', title: TEXTS.links, whyNot, content: links }] : []),
  ];
}

function isRefused(error: Error | null): boolean {
  return error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden');
}

function GroupProblem({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const navigate = useNavigate();
  if (isRefused(error)) {
    const isMissing = error instanceof AppError && error.code === 'not_found';
    return (
      <div className={styles['centre']}>
        <EmptyState
          title={isMissing ? TEXTS.groupMissing : TEXTS.groupForbidden}
          isPageHeading
          text={isMissing ? TEXTS.groupMissingHint : TEXTS.groupForbiddenHint}
          action={
            <Button variant="secondary" size="sm" onPress={() => void navigate('/')}>
              {TEXTS.backToGroups}
            </Button>
          }
        />
      </div>
    );
  }
  return (
    <div className={styles['problem']}>
      <MessageBox tone="danger" lines={[TEXTS.groupFailed, error.message]} />
      <Button variant="secondary" size="sm" onPress={onRetry}>
        {TEXTS.retry}
      </Button>
    </div>
  );
}

function TrashTab({ groupId }: { readonly groupId: string }) {
  return (
    <div className={settingsTabStyles['tab']}>
      <TrashList groupId={groupId} />
    </div>
  );
}

/**
 * Opens the key of the shown group once the vault is unlocked, so that a bad key or member list shows before
 * use.
 */
function useExaminedGroup(groupId: string): void {
  const { read } = useVault();
  const masterPassword = useMasterPassword();
  const isUnlocked = useSyncExternalStore(masterPassword.subscribe, masterPassword.isRemembered);
  // Forgotten when decisions of another browser arrive or its member list changes.
  const isKnown = useGroupTrust(groupId) !== undefined;
  useEffect(() => {
    if (!isUnlocked || isKnown) return undefined;
    const stop = new AbortController();
    // The result is stored with the memberships. The action that needs the key reports a failed request.
    read.examine(groupId, stop.signal).catch(() => undefined);
    return () => stop.abort();
  }, [read, groupId, isUnlocked, isKnown]);
}
