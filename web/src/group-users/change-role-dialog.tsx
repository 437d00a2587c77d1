/** Another role for somebody, with what it allows. */
import type { GroupUser } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import { ENTRY_GROUP_TEXTS } from '../texts/entry-groups.ts';
import { GROUP_USER_TEXTS as TEXTS } from '../texts/group-users.ts';
import { ActDialog } from './act-dialog.tsx';
import type { ActGroup, Outcome } from './over-groups.ts';
import type { MemberActs } from './use-member-acts.ts';

interface Props {
  readonly user: GroupUser;
  readonly role: Role;
  readonly group: ActGroup;
  readonly below: readonly ActGroup[];
  readonly acts: MemberActs;
  readonly onDone: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

export function ChangeRoleDialog({ user, role, group, below, acts, onDone, onClose }: Props) {
  const { name } = user.user;
  return (
    <ActDialog
      title={TEXTS.changeTitle(name, ENTRY_GROUP_TEXTS.roles[role])}
      confirm={TEXTS.change}
      confirming={TEXTS.changing}
      group={group}
      below={below}
      acts={acts}
      act={(groups) => acts.changeRole({ userId: user.user_id, name }, role, groups)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{TEXTS.roleMeans[role](name)}</p>
    </ActDialog>
  );
}
