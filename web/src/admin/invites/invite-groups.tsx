import { type FormEvent, useId, useState } from 'react';
import { FolderPlus, X } from 'lucide-react';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Role } from '@passwordbroker/core/domain/policy';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import type { TargetGroup } from '../../entries/group-picker/find-targets.ts';
import { GroupPicker } from '../../entries/group-picker/group-picker.tsx';
import { RoleChoice } from '../../members/sharing/role-choice.tsx';
import type { GroupInRole } from '../../members/sharing/use-sharing.ts';
import { ADMIN_INVITES_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { JOINED_TEXTS } from '../../texts/groups/joined.ts';
import { MEMBER_TEXTS } from '../../texts/groups/members.ts';
import styles from './invites.module.css';

interface Props {
  readonly groups: readonly GroupInRole[];
  readonly onAdd: () => void;
  readonly onRemove: (group: GroupInRole) => void;
}

/** The groups to share with the invited person, each with its role. */
export function InviteGroups({ groups, onAdd, onRemove }: Props) {
  const id = useId();
  const isFull = groups.length >= LIMITS.inviteGroups;
  return (
    <div className={styles['groups']} role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`}>
      <p id={`${id}-label`} className={styles['label']}>
        {TEXTS.groups}
      </p>
      {groups.length > 0 && (
        <ul className={styles['named']} aria-label={TEXTS.groups}>
          {groups.map((group) => (
            <li key={group.id}>
              {JOINED_TEXTS.inRole(group.title, JOINED_TEXTS.roles[group.role])}
              <IconButton
                label={TEXTS.removeGroup(group.title)}
                icon={<X size={14} />}
                onPress={() => onRemove(group)}
              />
            </li>
          ))}
        </ul>
      )}
      <Button
        size="sm"
        icon={<FolderPlus size={16} />}
        whyNot={isFull ? TEXTS.mostGroups(LIMITS.inviteGroups) : null}
        onPress={onAdd}
      >
        {TEXTS.addGroup}
      </Button>
      <p id={`${id}-hint`} className={styles['hint']}>
        {TEXTS.groupsHint}
      </p>
    </div>
  );
}

interface DialogProps {
  /** Null while the tree is loading. */
  readonly targets: readonly TargetGroup[] | null;
  readonly onChoose: (group: GroupInRole) => void;
  readonly onClose: () => void;
}

export function InviteGroupDialog({ targets, onChoose, onClose }: DialogProps) {
  const form = useId();
  const [group, setGroup] = useState<TargetGroup | null>(null);
  const [role, setRole] = useState<Role>('member');
  return (
    <Dialog
      title={TEXTS.addGroup}
      subtitle={TEXTS.groupsHint}
      size="md"
      onClose={onClose}
      footer={
        <FormVerbs
          form={form}
          cancel={MEMBER_TEXTS.cancel}
          onCancel={onClose}
          submit={TEXTS.add}
          isDisabled={group === null}
        />
      }
    >
      <form
        id={form}
        className={styles['choose']}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (group !== null) onChoose({ id: group.id, title: group.title, role });
        }}
      >
        <GroupPicker targets={targets} chosen={group} onChoose={setGroup} isLocked={false} roles={GROUP_TEXTS.roles} />
        <RoleChoice role={role} onChange={setRole} />
        <p className={styles['hint']}>{MEMBER_TEXTS.roleMeans[role](TEXTS.theyWill)}</p>
      </form>
    </Dialog>
  );
}
