/** What admins have beside the list: adding, changing roles, removing, who left, and what came of it all. */
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { EntryGroup, GroupUser } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { GroupTree } from '../groups/tree/group-tree.ts';
import { DepartedList } from '../leavers/departed-list.tsx';
import { LEAVER_TEXTS } from '../texts/leavers.ts';
import { useGroupWhyNot } from '../trust/use-group-why-not.ts';
import type { VaultWrite } from '../vault/vault.ts';
import { AddUser } from './add-user.tsx';
import { ChangeRoleDialog } from './change-role-dialog.tsx';
import styles from './group-users.module.css';
import { adminGroupsBelow } from './groups-below.ts';
import { NoAdding } from './no-adding.tsx';
import { OutcomeBox } from './outcome-box.tsx';
import type { ActGroup, Outcome } from './over-groups.ts';
import { RemoveUserDialog } from './remove-user-dialog.tsx';
import { useMemberActs } from './use-member-acts.ts';
import { UsersList } from './users-list.tsx';

interface Props {
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
  readonly again: (groups: readonly ActGroup[]) => Promise<Outcome>;
}

export function AdminsUsers({ group, selfId, tree, write }: Props) {
  const id = group.entry_group_id;
  const shown = useMemo(() => ({ id, title: group.title }), [id, group.title]);
  const below = useMemo(() => adminGroupsBelow(tree, id), [tree, id]);
  const acts = useMemberActs(id, write);
  const whyNot = useGroupWhyNot(id);
  const [question, setQuestion] = useState<Question | null>(null);
  const [came, setCame] = useState<Came | null>(null);

  const remove = (user: GroupUser, groups: readonly ActGroup[]) => acts.remove(personOf(user), groups);
  const close = () => setQuestion(null);
  const finish = (again: Came['again']) => (outcome: Outcome) => {
    close();
    setCame({ outcome, again });
  };
  const doAgain = async (groups: readonly ActGroup[]) => {
    if (came === null) return;
    const { again } = came;
    setCame(null);
    setCame({ outcome: await again(groups), again });
  };
  return (
    <>
      {whyNot === null ? (
        <AddUser group={shown} below={below} acts={acts} onDone={(outcome, again) => setCame({ outcome, again })} />
      ) : (
        <NoAdding whyNot={whyNot} />
      )}
      {came !== null && (
        <OutcomeBox outcome={came.outcome} onAgain={(groups) => void doAgain(groups)} onDismiss={() => setCame(null)} />
      )}
      <UsersList
        group={group}
        selfId={selfId}
        verbs={{
          whyNotRole: whyNot,
          onRole: (user, role) => setQuestion({ kind: 'role', user, role }),
          onRemove: (user) => setQuestion({ kind: 'remove', user }),
        }}
      />
      <section className={styles['section']} aria-label={LEAVER_TEXTS.departed}>
        <div className={styles['sectionHead']}>
          <h2 className={styles['heading']}>{LEAVER_TEXTS.departed}</h2>
          <Link className={styles['link'] ?? ''} to="/leavers">
            {LEAVER_TEXTS.allGroups}
          </Link>
        </div>
        <DepartedList of={{ groupId: id }} />
      </section>
      {question?.kind === 'role' && (
        <ChangeRoleDialog
          user={question.user}
          role={question.role}
          group={shown}
          below={below}
          acts={acts}
          onDone={finish((groups) => acts.changeRole(personOf(question.user), question.role, groups))}
          onClose={close}
        />
      )}
      {question?.kind === 'remove' && (
        <RemoveUserDialog
          user={question.user}
          group={shown}
          below={below}
          acts={acts}
          onRemove={(groups) => remove(question.user, groups)}
          onDone={finish((groups) => remove(question.user, groups))}
          onClose={close}
        />
      )}
    </>
  );
}

const personOf = ({ user_id: userId, user }: GroupUser) => ({ userId, name: user.name });
