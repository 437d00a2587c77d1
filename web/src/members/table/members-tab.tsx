import type { EntryGroup, GroupUser } from '@passwordbroker/core/contract/entities';
import { can, type Role } from '@passwordbroker/core/domain/policy';
import type { GroupTree, NamedGroup } from '../../groups/tree/group-tree.ts';
import { useVault, useWhyNot } from '../../vault/use-vault.ts';
import styles from './members.module.css';
import { MemberList } from './member-list.tsx';
import { MEMBER_TEXTS as TEXTS, FORMER_MEMBER_TEXTS } from '../../texts/groups/members.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { FormerMemberList } from '../../former-members/former-member-list.tsx';
import { ResetMembers } from '../../former-members/reset-members.tsx';
import { useGroupWhyNot } from '../../trust/use-trust-state.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { AddMember } from '../changes/add-member.tsx';
import { adminGroupsBelow, type Outcome } from '../changes/over-groups.ts';
import { OutcomeBox } from '../changes/outcome-box.tsx';
import { RemoveMemberDialog, MemberChangeDialog } from '../changes/member-change-dialog.tsx';
import { type MemberActions, useMemberActions } from '../changes/use-member-actions.ts';

interface Props {
  readonly group: EntryGroup;
  readonly selfId: string;
  readonly role: Role;
  /** null while it is loading. */
  readonly tree: GroupTree | null;
}

/** Members of the group. Everyone sees them; admins change them (docs/spec/product.md §2, §6). */
export function MembersTab({ group, selfId, role, tree }: Props) {
  const { write } = useVault();
  const whyNot = useWhyNot();
  return (
    <div className={styles['tab']}>
      {write !== null && can(role, 'members.write') ? (
        <AdminControls group={group} selfId={selfId} tree={tree} write={write} />
      ) : (
        <>
          {whyNot !== null && can(role, 'members.write') && <NoAdding whyNot={whyNot} />}
          <MemberList group={group} selfId={selfId} verbs={null} />
        </>
      )}
    </div>
  );
}

function NoAdding({ whyNot }: { readonly whyNot: string }) {
  return (
    <div className={styles['paused']}>
      <Button whyNot={whyNot}>{TEXTS.addNew}</Button>
      <span>{whyNot}</span>
    </div>
  );
}

interface AdminControlsProps {
  readonly group: EntryGroup;
  readonly selfId: string;
  readonly tree: GroupTree | null;
  readonly write: VaultWrite;
}

type Question =
  | { readonly kind: 'role'; readonly user: GroupUser; readonly role: Role }
  | { readonly kind: 'remove'; readonly user: GroupUser };

interface Came {
  readonly outcome: Outcome;
  readonly again: (groups: readonly NamedGroup[]) => Promise<Outcome>;
}

function AdminControls({ group, selfId, tree, write }: AdminControlsProps) {
  const id = group.entry_group_id;
  const shown = useMemo(() => ({ id, title: group.title }), [id, group.title]);
  const below = useMemo(() => adminGroupsBelow(tree, id), [tree, id]);
  const actions = useMemberActions(id, write);
  const whyNot = useGroupWhyNot(id);
  const [question, setQuestion] = useState<Question | null>(null);
  const [came, setCame] = useState<Came | null>(null);

  const remove = (user: GroupUser, groups: readonly NamedGroup[]) => actions.remove(personOf(user), groups);
  const close = () => setQuestion(null);
  const finish = (again: Came['again']) => (outcome: Outcome) => {
    close();
    setCame({ outcome, again });
  };
  const doAgain = async (groups: readonly NamedGroup[]) => {
    if (came === null) return;
    const { again } = came;
    setCame(null);
    setCame({ outcome: await again(groups), again });
  };
  return (
    <>
      {whyNot === null ? (
        <AddMember
          group={shown}
          below={below}
          actions={actions}
          onDone={(outcome, again) => setCame({ outcome, again })}
        />
      ) : (
        <NoAdding whyNot={whyNot} />
      )}
      {came !== null && (
        <OutcomeBox outcome={came.outcome} onAgain={(groups) => void doAgain(groups)} onDismiss={() => setCame(null)} />
      )}
      <MemberList
        group={group}
        selfId={selfId}
        verbs={{
          whyNotRole: whyNot,
          onRole: (user, role) => setQuestion({ kind: 'role', user, role }),
          onRemove: (user) => setQuestion({ kind: 'remove', user }),
        }}
      />
      <ResetMembers groupId={id} write={write} whyNot={whyNot} />
      <section className={styles['section']} aria-label={FORMER_MEMBER_TEXTS.title}>
        <div className={styles['sectionHead']}>
          <h2 className={styles['heading']}>{FORMER_MEMBER_TEXTS.title}</h2>
          <Link className={styles['link'] ?? ''} to="/leavers">
            {FORMER_MEMBER_TEXTS.allGroups}
          </Link>
        </div>
        <FormerMemberList of={{ groupId: id }} />
      </section>
      {question?.kind === 'role' && (
        <ChangeRoleDialog
          user={question.user}
          role={question.role}
          group={shown}
          below={below}
          actions={actions}
          onDone={finish((groups) => actions.changeRole(personOf(question.user), question.role, groups))}
          onClose={close}
        />
      )}
      {question?.kind === 'remove' && (
        <RemoveMemberDialog
          user={question.user}
          group={shown}
          below={below}
          actions={actions}
          onRemove={(groups) => remove(question.user, groups)}
          onDone={finish((groups) => remove(question.user, groups))}
          onClose={close}
        />
      )}
    </>
  );
}

const personOf = ({ user_id: userId, user }: GroupUser) => ({ userId, name: user.name });

interface ChangeRoleDialogProps {
  readonly user: GroupUser;
  readonly role: Role;
  readonly group: NamedGroup;
  readonly below: readonly NamedGroup[];
  readonly actions: MemberActions;
  readonly onDone: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

function ChangeRoleDialog({ user, role, group, below, actions, onDone, onClose }: ChangeRoleDialogProps) {
  const { name } = user.user;
  return (
    <MemberChangeDialog
      title={TEXTS.changeTitle(name, GROUP_TEXTS.roles[role])}
      confirm={TEXTS.change}
      confirming={TEXTS.changing}
      group={group}
      below={below}
      actions={actions}
      change={(groups) => actions.changeRole({ userId: user.user_id, name }, role, groups)}
      actIn={(entry_group_ids) => ({ kind: 'change-role', entry_group_ids, user_ids: [user.user_id], role })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{TEXTS.roleMeans[role](name)}</p>
    </MemberChangeDialog>
  );
}
